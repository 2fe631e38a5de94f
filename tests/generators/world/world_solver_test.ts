import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { findImpossibleDates } from "./_world_dates.ts";
import { LITTLE, readDocuments } from "./_world_reading.ts";
import { answersTo, close, findContradictions, findWrongAnswers } from "./_world_solver.ts";
import { worldDocuments } from "@/lib/generators/mod.ts";

/** Returns the faults of sentences, which need not be a whole paragraph. */
function faultsOf(text: string): string[] {
  const reading = readDocuments([text]);
  const unread = reading.unread.filter((sentence) => !sentence.startsWith(LITTLE));
  return [...findContradictions({ ...reading, unread }), ...findImpossibleDates(reading)];
}

Deno.test.each([
  [
    "two employers, one of them by way of an office",
    "Ada Flalelenk works for Krevamex Looms. The present manager of Stokenix Yards is Ada Flalelenk.",
    "more than one employer of Flalelenk: Krevamex, Stokenix",
  ],
  [
    "a market town without a market",
    "Farmers from Glanebeck take their goods to market in Dromohult. The people of Dromohult go to market in Smudedorf.",
    "more than one market of Dromohult: Dromohult, Smudedorf",
  ],
  [
    "a mayor of two towns",
    "The mayor of Glanebeck is Ada Flalelenk. The mayor of Dromohult is Ada Flalelenk.",
    [
      "more than one home of Flalelenk: Glanebeck, Dromohult",
      "Flalelenk is mayor twice: The mayor of Dromohult is Ada Flalelenk.",
    ],
  ],
  [
    "a founder who takes over",
    "Krevamex Looms was founded by Ada Flalelenk. Flalelenk took over as manager of Krevamex Looms in 1920 and changed little.",
    "took over from itself: Flalelenk took over as manager of Krevamex Looms in 1920 and changed little.",
  ],
  [
    "the widest place of a valley twice",
    "The valley of the Nuleth is widest where Glanebeck lies. The valley of the Nuleth is widest where Dromohult lies.",
    "the valley is widest twice: The valley of the Nuleth is widest where Dromohult lies.",
  ],
  [
    "suppliers in a circle",
    "Krevamex Looms buys its raw materials from Stokenix Yards. The main supplier of Stokenix is Krevamex Looms.",
    "a circle of suppliers through Krevamex",
  ],
  [
    "sentences that clash",
    "Ada Flalelenk founded Krevamex in 1890 with borrowed money. Krevamex has never borrowed a coin from a bank.",
    "do not go together: Ada Flalelenk founded Krevamex in 1890 with borrowed money. Krevamex has never borrowed a coin from a bank.",
  ],
  [
    "a sentence with two names that it does not know",
    "Krevamex Looms is best known for the Krodanuzo. Krevamex Looms has sold its yard to Stokenix Yards.",
    "not understood: Krevamex Looms has sold its yard to Stokenix Yards.",
  ],
  [
    "a teacher younger than the pupil",
    "Ada Flalelenk learned the craft from Ivo Drorovalk. Flalelenk was born in Glanebeck in 1874. Drorovalk was born in Dromohult in 1870.",
    "no year fits: Ada Flalelenk learned the craft from Ivo Drorovalk. | Flalelenk was born in Glanebeck in 1874. | " +
    "Drorovalk was born in Dromohult in 1870.",
  ],
  [
    "a mayor of a village",
    "Glanebeck was a village until 1910, when it received its charter. Ada Flalelenk has been mayor of Glanebeck since 1905.",
    "no year fits: Glanebeck was a village until 1910, when it received its charter. | Ada Flalelenk has been mayor of Glanebeck since 1905.",
  ],
] as [string, string, string | string[]][])("the solver finds %s", (_name, text, want) => {
  const sorted = (fault: string): string => fault.replace(/^no year fits: /, "").split(" | ").sort().join(" | ");
  deepEqual(faultsOf(text).map(sorted), [want].flat().map(sorted));
});

Deno.test("the solver finds nothing wrong where people, firms and towns go about their lives", () => {
  deepEqual(
    faultsOf(
      "Krevamex Looms was founded by Ada Flalelenk. Flalelenk was born in Glanebeck in 1860. Flalelenk now lives in Dromohult, by the well. " +
        "Since 1895 Krevamex has been run from its head office in Glanebeck. Ivo Drorovalk has been the mayor's friend. " +
        "Ivo Drorovalk works for Krevamex Looms. In 1891 Drorovalk was apprenticed to Ada Flalelenk, a patient teacher.",
    ),
    [],
  );
});

Deno.test("the solver answers by implication too, and counts the sentences that state it", () => {
  const known = close(
    readDocuments([
      "Ada Flalelenk works for Krevamex Looms. Stokenix Yards is now managed by Ada Flalelenk. Stokenix Yards is based in Glanebeck. " +
      "Glanebeck has Ivo Drorovalk for a mayor, elected at night. The mayor of Glanebeck is Ivo Drorovalk.",
    ]).statements,
  );
  const answer = (question: string): [string, number][] | undefined => {
    const answers = answersTo(question, known);
    return answers === null ? undefined : [...answers];
  };
  deepEqual(answer("Which firm does Ada Flalelenk work for?"), [["Krevamex", 1], ["Stokenix", 1]]);
  deepEqual(answer("Where does Ivo Drorovalk live now?"), [["Glanebeck", 2]]);
  deepEqual(answer("Who leads the town in which Stokenix Yards is based as its mayor?"), [["Drorovalk", 2]]);
  deepEqual(answer("Who taught Ivo Drorovalk the craft?"), []);
  equal(answer("Who wrote Faust in the end?"), undefined);
  deepEqual(findWrongAnswers("Which firm does Ada Flalelenk work for?", "Krevamex Looms", known), [
    '2 answers to "Which firm does Ada Flalelenk work for?", not Krevamex Looms alone: Krevamex, Stokenix',
  ]);
  deepEqual(findWrongAnswers("Where is the head office of Stokenix Yards?", "Glanebeck", known), []);
});

Deno.test("documents of the world hold no contradiction and no impossible date, and answer every question of theirs in one way", () => {
  const seeds = cases(["world"], ["world", "another"]);
  for (const seed of seeds) {
    const [oneHop, twoHop] = ([1, 2] as const).map((hops) => worldDocuments({ seed, hops }));
    const reading = readDocuments(Array.from({ length: 2000 }, (_, number) => oneHop!.document(number).text));
    deepEqual([...findContradictions(reading), ...findImpossibleDates(reading)], []);
    const known = close(reading.statements);
    // The last district's questions lead on to the next.
    for (let number = 0; number < 1950; number++) {
      for (const { question, answers } of [oneHop!.question(number), twoHop!.question(number)]) {
        deepEqual(findWrongAnswers(question, answers[0]!, known), []);
      }
    }
    ok(reading.statements.length > 3 * 2000);
  }
});
