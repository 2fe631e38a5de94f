/**
 * Words that a model says when it answers from what it knows of English and not from a list: the hundred commonest of the
 * Oxford English Corpus (Oxford University Press, 2006, counted by dictionary form), and the inflected forms that are among
 * the fifty commonest of Google Books (Norvig, "English letter frequency counts: Mayzner revisited", 2012).
 */
export const FREQUENT_WORDS: ReadonlySet<string> = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she
   or an will my one all would there their what so up out if about who get which go me when make can like time
   no just him know take people into year your good some could them see other than then now look only come its
   over think also back after use two how our work first well way even new want because any these give day most us
   is was are were has had been more`.split(/\s+/),
);
