/** A flag that sets one knob of a task family; the names are those of RULER's code where it has one. */
export interface KnobFlag {
  readonly flag: string;
  readonly knob: string;
  readonly families: readonly string[];
  readonly parse?: (text: string) => string | number;
  readonly choices?: readonly string[];
  readonly help: string;
}
