import type { Parameters } from "./parameters.ts";

/** What a command line says of the parameters. */
export interface ParameterOptions {
  /** The model. */
  readonly model?: string | undefined;
  /** The endpoint's address. */
  readonly baseUrl?: string | undefined;
  /** Further parameters, each as `name=value`. */
  readonly set?: readonly string[] | undefined;
}

/**
 * Reads the parameters that a command line gives, all still as text.
 *
 * @throws {SyntaxError} If one of `set` is not `name=value`, or the address is none.
 * @throws {RangeError} If the address carries a user name, password or key, which would be written into a notebook.
 */
export function readParameters(options: ParameterOptions): Parameters {
  const { model, baseUrl, set = [] } = options;
  const further = set.map((text) => {
    const match = /^([A-Za-z_$][\w$]*)=(.*)$/s.exec(text);
    if (match === null) {
      throw new SyntaxError(`Cannot set a parameter as it must be name=value: current value is "${text}"`);
    }
    return [match[1] ?? "", match[2] ?? ""];
  });
  if (baseUrl !== undefined) checkAddress(baseUrl);
  return {
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...Object.fromEntries(further),
  };
}

function checkAddress(text: string): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SyntaxError(`Cannot use an endpoint as --base-url must be an http address: current value is "${text}"`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new RangeError(
      "Cannot use an endpoint as --base-url must carry no user, password or key: current value has one; keys are read " +
        "from the environment",
    );
  }
}
