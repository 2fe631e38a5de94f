import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { openRuns } from "@/lib/jupyter/mod.ts";
import { askUnlessUnreachable } from "@/lib/jupyter/open_runs.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { ModelNotAskable } from "@/lib/asking/mod.ts";

const GONE = 'Cannot ask model "m" as its endpoint must be reachable: the call failed with "no"';

/** Asks a model that is there or not, by name and at a time in seconds; says how often it was tried. */
function asker(server: string): (name: string, seconds: number, isThere?: boolean) => Promise<[string, number]> {
  let tried = 0;
  return async (name, seconds, isThere = false) => {
    const ask = (): Promise<string> => {
      tried++;
      return isThere ? Promise.resolve("replies") : Promise.reject(new ModelNotAskable(GONE));
    };
    const options = { model: { name: "m", settings: { baseUrl: server } }, name, now: () => 1000 * seconds };
    const said = await askUnlessUnreachable(ask, options).catch((error: Error) => error.message);
    return [said, tried];
  };
}

Deno.test("askUnlessUnreachable() does not ask for another cell what one found gone, until that one asks again", async () => {
  const ask = asker("http://one");
  deepEqual(await ask("first", 0), [GONE, 1]);
  const [said, tried] = await ask("second", 1);
  equal(tried, 1);
  equal(said, `${GONE}. The cell that asks first found this: run that cell again once the model is reachable`);
  deepEqual(await ask("first", 2), [GONE, 2]);
  deepEqual(await ask("first", 3, true), ["replies", 3]);
  deepEqual(await ask("second", 4, true), ["replies", 4]);
});

Deno.test("askUnlessUnreachable() forgets after a minute, and knows servers apart", async () => {
  const [one, other] = [asker("http://two"), asker("http://three")];
  await one("first", 0);
  deepEqual(await other("second", 1, true), ["replies", 1]);
  deepEqual((await one("second", 59))[1], 1);
  deepEqual(await one("second", 61, true), ["replies", 2]);
});

Deno.test("askUnlessUnreachable() keeps no other error: it says nothing of the server", async () => {
  const options = { model: { name: "m", settings: { baseUrl: "http://four" } }, name: "first" };
  await rejects(
    askUnlessUnreachable(() => Promise.reject(new RangeError("too long")), options),
    /^RangeError: too long/,
  );
  equal(await askUnlessUnreachable(() => Promise.resolve(1), { ...options, name: "second" }), 1);
});

Deno.test("openRuns() asks a dead server once for all cells of a notebook", async () => {
  const closing = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let calls = 0;
  const serving = (async () => {
    for await (const connection of closing) {
      calls++;
      connection.close();
    }
  })();
  const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
  await withFolder(async (folder) => {
    const from = {
      model: "m",
      baseUrl: `http://127.0.0.1:${closing.addr.port}/v1`,
      folder,
      display: () => Promise.resolve(),
    };
    const say = async (name: string): Promise<string> =>
      await openRuns(study, { ...from, name }).then(() => "", (error: Error) => error.message);
    match(await say("first"), /^Cannot ask model "m" as its endpoint must be reachable: [^\n]*$/);
    const once = calls;
    match(
      await say("second"),
      /^Cannot ask model "m" as its endpoint must be reachable: .* The cell that asks first found/,
    );
    equal(calls, once);
    await say("first");
    equal(calls > once, true);
  });
  closing.close();
  await serving;
});
