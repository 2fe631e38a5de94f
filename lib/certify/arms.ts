import type { CertificateArm } from "./design.ts";
import { type Asking, CertificatePaused, type CertifiedModel, type Models } from "./session.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import { type OpenedModel, readManifest } from "@/lib/studies/mod.ts";
import { asRunBegan } from "@/lib/asking/mod.ts";

/** A server or a model as the user names it. */
export interface ArmChoice {
  /** The user's name for it, such as `q8_0`. */
  readonly name?: string;
  /** The model; by default the one that the server has. */
  readonly model?: string | undefined;
  /** The flags of the server. */
  readonly flags?: string;
  /** Opens a model of the server. */
  readonly open: (model: string) => Promise<OpenedModel>;
}

/** The name of a model whose server lists none. */
const UNNAMED = "model";

/**
 * Opens a server with the model that it has, unless another is named.
 *
 * @throws {RangeError} If the server has several models and none is named.
 * @throws {CertificatePaused} If the server does not answer, and no model is named.
 */
export async function openArm(
  { name, model, flags, open }: ArmChoice,
  role: "base" | "change",
): Promise<CertifiedModel> {
  const opened = await open(model ?? UNNAMED);
  let probed = await opened.probe?.([], { asks: false, count: () => 0 });
  // A server that lists no model is asked, as it may be busy or not run.
  if (model === undefined && !probed?.report.served) probed = await opened.probe?.([], { count: () => 0 });
  const { report: { served = [], window = opened.window } = {}, failure } = probed ?? {};
  const called = name ?? model ?? role;
  if (model === undefined && served.length > 1) {
    throw new RangeError(
      `Cannot ask ${called} as --model must be one of ${
        served.map((each) => shownText(each)).join(", ")
      }, which its server has: current value is none`,
    );
  }
  const [only] = model === undefined ? served : [];
  if (only === undefined && failure !== undefined) throw new CertificatePaused(`${called}: ${failure.message}`);
  return { name: called, model: only === undefined ? opened : await open(only), ...defined({ flags, window }) };
}

/** Refuses one server for both sides, unless that is meant, and one name for both. */
export function checkArms(base: CertifiedModel, change: CertifiedModel, isSelf: boolean): void {
  const [left, right] = [base, change].map(({ model }) =>
    `${model.name} at ${model.settings["baseUrl"] ?? "this machine"}`
  );
  if (left === right && !isSelf) {
    throw new RangeError(
      `Cannot certify a change as base and change must be two servers or models, or --self must be given: current value is ${left} for both`,
    );
  }
  if (base.name === change.name) {
    throw new RangeError(
      `Cannot certify a change as base and change must have names of their own, such as f16=URL and q8=URL: current value is "${base.name}" for both`,
    );
  }
}

/** Returns an arm as a design has it. */
export function armOf({ name, model, flags }: CertifiedModel): CertificateArm {
  return { name, model: model.name, ...defined({ flags }) };
}

/** Returns both models with the tokens of the base's chat template. */
export async function settleArms({ path, base, change }: Asking): Promise<Models> {
  const began = await readManifest(`${path}/calibration`);
  const settle = (model: OpenedModel): OpenedModel => began === undefined ? model : asRunBegan(model, began);
  const settled = settle(base.model);
  const { window: _own, ...rest } = settle(change.model);
  // Prompts that exceed the window of the change are counted as overflows, and its own tokens are only recorded.
  return { base: settled, change: { ...rest, ...defined({ countTokens: settled.countTokens }) } };
}
