/**
 * Words with which a reply is worded and not answered: function words, and the words of the questions that ask for words.
 *
 * A reply to such a question counts every other word as an item, so that none can win by saying many. One of these that is
 * itself a reference counts as found.
 */
export const FRAMING_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their there here i we you your
   and or but also then so as if not no only just
   is are was were be been being has have had do does did can could will would may
   in on at of to for from by with within among into out about above below according based after before
   all any both each every more most least other some such same than
   one two three four five six seven eight nine ten first second third fourth fifth
   answer answers assistant user question sure certainly okay ok yes here's
   word words coded code text list listed lists number numbered numbers item items top result results
   common frequent frequently frequency frequencies often appear appears appeared appearing occur occurs occurred occurring
   occurrence occurrences repeated count counts counted time times total order following follows follow given provided
   which what who how many much very found find identified mentioned
   please note let me my`.split(/\s+/).filter((word) => word !== ""),
);
