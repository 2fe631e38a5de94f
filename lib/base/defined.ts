/** Fields without `undefined`: those that can be `undefined` are optional. */
export type Defined<Fields> =
  & { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] }
  & { [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };

/** Returns the fields that are not `undefined`: `{ name, ...defined({ window }) }` has a window only if there is one. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
