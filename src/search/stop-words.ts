// Stop words: too frequent to search for, so only titles keep them. In the form that `fold`
// returns.

const LISTS: Readonly<Record<string, string>> = {
  en: "a an and are as at be been but by can do does for from had has have he her his how i if in into is it its me my no not of on or our she so such than that the their them then there these they this those to was we were what when where which who will with would you your",
  de: "aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du durch ein eine einem einen einer eines er es fur hat ich ihr im in ist ja kann man mit nach nicht noch nur oder sein sich sie sind so uber um und uns vom von vor war was wenn werden wie wir wird zu zum zur",
  fr: "a au aux avec c ce ces cette d dans de des du elle en est et il ils je l la le les leur lui ma mais me n ne nous on ou par pas pour qu que qui s sa se ses son sont sur tu un une vous y",
  ru: "а без бы был была были было быть в вам вас во вот все вы где да для до его ее если есть еще же за и из или им их к как какая какие какой ко когда которые который кто ли мне мы на над нам нас не него нет ни но о об он она они оно от по под при с со так также там то того тоже только у уже что чтобы эта эти это этого этой этот я",
  es: "a al como con de del el ella en entre es esta este la las le lo los mas me mi muy no o para pero por que se si sin sobre son su sus te tu un una y ya",
  it: "a ad al alla che chi ci come con d da dal dalla dei del della delle di e ed gli ha i il in io l la le lo ma mi nel nella non o per piu se si sono su sul sulla tra un una uno",
  pt: "a ao aos as com como da das de do dos e em entre essa esse esta este eu foi ha isso ja mais mas me na nas nao no nos o os ou para pela pelo por que se sem ser seu sua um uma",
  nl: "aan al als bij dan dat de den der deze die dit door een en er haar had heb het hij ik in is je kan maar met mijn naar niet nog nu of om onder ook op over te tot uit van voor was wat we wel werd wie wordt ze zich zijn zo",
};

const SETS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(LISTS).map(([language, list]) => [language, new Set(list.split(" "))]),
);

const NONE: ReadonlySet<string> = new Set();

/** Returns the stop words of a language; empty if unknown. */
export const getStopWords = (language: string): ReadonlySet<string> => SETS[language] ?? NONE;
