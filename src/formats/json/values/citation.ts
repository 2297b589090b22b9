// Reads one reference of a bibliography in the common styles (APA, Harvard, IEEE, MLA, Chicago,
// Vancouver).

/** A part of the text that the page marks by an element, such as a link or an italic title. */
export type MarkedText = { readonly from: number; readonly to: number };

export type Citation = {
  /** As written, without "et al.". */
  readonly authorsText: string;
  readonly authors: readonly string[];
  readonly year: number;
  readonly title: string;
  /** Journal, proceedings or book. */
  readonly venue?: string;
  /** True if the work is a part of a book or of proceedings: "In …". */
  readonly isInBook: boolean;
  readonly volume?: string;
  readonly issue?: string;
  /** As written: "141–169". */
  readonly pages?: string;
  readonly doi?: string;
};

/** Longer texts are no reference. */
const MAX_CHARACTERS = 1_200;
const MAX_AUTHORS_TEXT = 600;
const MIN_TITLE = 4;
const MAX_VENUE = 160;

/**
 * Returns the parts of a reference; undefined if the text has no authors, year and title in one of
 * the known orders. `marks` are elements inside of the text, by their offsets in it.
 */
export function readCitation(
  text: string,
  marks: readonly MarkedText[] = [],
): Citation | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const start = /^\s*(?:\[[\w.-]{1,12}\]|\(?\d{1,3}[.)])?\s*/u.exec(text)?.[0].length ?? 0;
  for (const readStyle of [readQuoted, readYearFirst, readColon, readYearBehind]) {
    const reading = readStyle({ text, marks, start });
    const citation = reading === undefined ? undefined : toCitation(reading);
    if (citation !== undefined) return citation;
  }
  return undefined;
}

function toCitation({
  authorsText: written,
  year,
  title,
  behind,
  venue,
}: Reading): Citation | undefined {
  const authorsText = trimAuthorNotes(written);
  const authors = splitAuthors(authorsText);
  if (authors === undefined || title.length < MIN_TITLE || !/\p{L}{2}/u.test(title))
    return undefined;
  const numbers = readNumbers(behind);
  // "Jane Doe (2024). She likes it." is a note: a reference has initials, or says where it appeared.
  const hasInitials = /\p{Lu}\./u.test(authorsText);
  if (venue === undefined && !hasInitials && Object.keys(numbers).length === 0) return undefined;
  return {
    authorsText,
    authors,
    year,
    title,
    isInBook: /^[\s.,;:]*\(?in(?::?\s.{3,80}\((?:Eds?|Hrsg|Hg)\.?\)|\s)/iu.test(behind),
    ...(venue === undefined ? {} : { venue }),
    ...numbers,
  };
}

type Source = {
  readonly text: string;
  readonly marks: readonly MarkedText[];
  readonly start: number;
};
type Reading = {
  readonly authorsText: string;
  readonly year: number;
  readonly title: string;
  readonly venue?: string | undefined;
  /** Text behind the title. */
  readonly behind: string;
};

const YEAR = "(?:19|20)\\d\\d";
const IN_BRACKETS = new RegExp(`\\((${YEAR})[a-z]?(?:,[^()]{1,20})?\\)[.,:]?\\s+`, "u");
const BETWEEN_PERIODS = new RegExp(
  `(?<=(?:\\p{Lu}\\.,?|\\p{L}{2}\\.)\\s)(${YEAR})[a-z]?\\.\\s+`,
  "u",
);
const BEHIND_AUTHORS = new RegExp(`^(.*?)[\\s,]*\\(?(${YEAR})[a-z]?\\)?[\\s.,:]*$`, "su");
const STANDING_ALONE = new RegExp(`(?<![\\d–—:-])(${YEAR})(?![\\d–—-])`, "gu");
const QUOTED = /["“„«](?<title>[^"“”„«»]{4,300}?)[,.?!]?["”“»][,.]?(?=\s|$)/u;
/** In single quotes, which also stand for apostrophes. */
const SINGLE_QUOTED = /(?<=[\s)])‘(?<title>(?:[^‘’]|’(?=\p{L})){4,300}?)[,.]?’[,.]?(?=\s|$)/u;

/** Authors, “Title,” Venue …, 2024. */
function readQuoted({ text, marks, start }: Source): Reading | undefined {
  const body = text.slice(start);
  const match = QUOTED.exec(body) ?? SINGLE_QUOTED.exec(body);
  const title = match?.groups?.["title"];
  if (match === null || title === undefined) return undefined;
  const before = body.slice(0, match.index);
  const end = start + match.index + match[0].length;
  const behind = text.slice(end);
  // Authors (2024) “Title”, Venue.
  const dated = BEHIND_AUTHORS.exec(before);
  const year = dated?.[2] ?? findLastYear(behind);
  if (year === undefined) return undefined;
  return {
    authorsText: trimAuthors(dated?.[1] ?? before),
    year: Number(year),
    title: title.trim(),
    venue: findVenue(text, marks, end),
    behind,
  };
}

/** Authors (2024). Title. Venue …, also without the brackets: Authors. 2024. Title. */
function readYearFirst({ text, marks, start }: Source): Reading | undefined {
  const head = text.slice(start, start + MAX_AUTHORS_TEXT);
  const match = IN_BRACKETS.exec(head) ?? BETWEEN_PERIODS.exec(head);
  if (match === null || match.index === 0) return undefined;
  const at = start + match.index + match[0].length;
  const end = findTitleEnd(text, marks, at);
  if (end === undefined) return undefined;
  return {
    authorsText: trimAuthors(text.slice(start, start + match.index)),
    year: Number(match[1]),
    title: trimTitle(text.slice(at, end)),
    venue: findVenue(text, marks, end),
    behind: text.slice(end),
  };
}

/** Authors: Title. In: Venue 12 (2018), S. 33–51. */
function readColon({ text, marks, start }: Source): Reading | undefined {
  const match = /^([^:]{3,300}):\s+(?=\S)/u.exec(text.slice(start));
  if (match === null) return undefined;
  const at = start + match[0].length;
  const end = findTitleEnd(text, marks, at);
  if (end === undefined || !/^[.,]?\s+(?:In|in):\s/u.test(text.slice(end))) return undefined;
  const behind = text.slice(end);
  const year = findLastYear(behind);
  if (year === undefined || readNumbers(behind).pages === undefined) return undefined;
  return {
    authorsText: trimAuthors(match[1] ?? ""),
    year: Number(year),
    title: trimTitle(text.slice(at, end)),
    venue: findVenue(text, marks, end),
    behind,
  };
}

/** Authors. Title. Venue. 2024;28(3):411–430. */
function readYearBehind({ text, marks, start }: Source): Reading | undefined {
  const body = text.slice(start, start + MAX_AUTHORS_TEXT);
  // The authors end at the first period behind a name that is no initial.
  const match = /^(.{3,}?(?:\p{Ll}{2}|\s\p{Lu}{1,3}))\.\s+(?=\S)(?!(?:19|20)\d\d\b)/su.exec(body);
  if (match === null) return undefined;
  const at = start + match[0].length;
  const end = findTitleEnd(text, marks, at);
  if (end === undefined) return undefined;
  const behind = text.slice(end);
  const year = findLastYear(behind);
  const venue = findVenue(text, marks, end);
  // Without quotes or a year between them, only the numbers of a volume tell a reference from prose.
  const numbers = readNumbers(behind);
  const hasPlace =
    (numbers.volume !== undefined && numbers.pages !== undefined) || numbers.doi !== undefined;
  if (year === undefined || venue === undefined || !hasPlace) return undefined;
  return {
    authorsText: trimAuthors(match[1] ?? ""),
    year: Number(year),
    title: trimTitle(text.slice(at, end)),
    venue,
    behind,
  };
}

/** Authors without notes and those who are not named: "et al.", "& 14 others". */
const trimAuthorNotes = (written: string): string =>
  written
    .replaceAll(/[*†‡§¶#]+/gu, "")
    .replaceAll(/(?<=\p{L})\d{1,2}(?:,\d{1,2})*(?=[,;\s]|$)/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/[\s,;:]*(?:\bet al\.?|(?:&|and)\s\d+\s(?:others|more)|…|\.\.\.)[.\s]*$/u, "")
    .trim();

const trimAuthors = (text: string): string =>
  text
    .replace(/[\s,:;]+$/u, "")
    .replace(/(?<=\p{Ll}{2})\.$/u, "")
    .trim();
const trimTitle = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .replace(/^["“„«‘]|["”“»’][.,]?$/gu, "")
    .replace(/(?<!\.)[.,]$/u, "")
    .trim();

/** The year that stands last, not a page or part of a DOI. */
function findLastYear(text: string): string | undefined {
  const plain = text.replace(/\b10\.\d{4,9}\/\S+/gu, " ").replace(/https?:\S+/gu, " ");
  return [...plain.matchAll(STANDING_ALONE)].at(-1)?.[1];
}

/** End of the title: that of the element around it, else that of its sentence. */
function findTitleEnd(text: string, marks: readonly MarkedText[], at: number): number | undefined {
  const marked = marks.find(
    ({ from, to }) => from - at <= 1 && from >= at && to - from >= MIN_TITLE,
  );
  // A title may start with a species in italics, and go on.
  if (marked !== undefined && TITLE_BREAK.test(text.slice(marked.to - 1))) return marked.to;
  // A venue in italics ends the title before it: "Why? Twenty years. <i>Journal</i>".
  for (const mark of marks.filter(({ from }) => from > at + MIN_TITLE)) {
    const before = text.slice(at, mark.from);
    const [lead] = VENUE_LEAD.exec(before) ?? [];
    if (lead !== undefined) return mark.from - lead.length + 1;
  }
  const match = SENTENCE_END.exec(text.slice(at));
  return match === null ? undefined : at + match.index + 1;
}

/** The last character of an element that is the whole title, and what follows. */
const TITLE_BREAK = /^(?:[.?!]|.["”’]?\s*(?:$|[.,?!([]|\p{Lu}))/su;
const ABBREVIATION = "(?<!\\b(?:vs|cf|St|Dr|spp?|subsp|var|etc|No|Vol))";
const SENTENCE_END = new RegExp(
  `(?:[?!]|${ABBREVIATION}\\.)(?=\\s+(?:\\p{Lu}|\\d|\\[|arXiv|doi|https?:|$))`,
  "u",
);
const EDITORS = "[^()]{3,80}\\s\\((?:Eds?|Hrsg|Hg|dir|éds?)\\.?\\)[.,:]?\\s+";
/** The end of a title in front of a marked venue, also with editors: ". In J. Pullman (Ed.), ". */
const VENUE_LEAD = new RegExp(
  `(?:[?!]|${ABBREVIATION}\\.)(?:["”’)]?\\s+(?:In:?\\s+(?:${EDITORS})?)?)$`,
  "u",
);

/** The name of a journal or book in front of its volume, pages, year or publisher. */
function findVenue(text: string, marks: readonly MarkedText[], from: number): string | undefined {
  const lead = LEAD.exec(text.slice(from))?.[0].length ?? 0;
  const at = from + lead;
  const marked = marks.find((mark) => mark.from >= at && mark.from - at <= 1);
  const written =
    marked === undefined ? readPlainVenue(text.slice(at)) : text.slice(marked.from, marked.to);
  const venue = written
    ?.replace(/\s+/gu, " ")
    .replace(/,?\s*(?:vol\.?\s*)?\d{1,4}(?:\s*\(\d{1,4}\))?[.,]?$/iu, (numbers, offset: number) =>
      // "Proceedings of X 2021" keeps its year.
      /(?:19|20)\d\d$/u.test(numbers) || offset === 0 ? numbers : "",
    )
    .replace(/[\s,;:]+$/u, "")
    // "Proc. Workshop Mobile Mach." is abbreviated to its end.
    .replace(/(?<!\p{L}\.\s.*)\.$/su, "")
    .trim();
  const isVenue =
    venue !== undefined &&
    venue.length > 1 &&
    venue.length <= MAX_VENUE &&
    /^\p{Lu}|^\p{Lo}|^[a-z]+[A-Z]/u.test(venue) &&
    !/^(?:doi|https?|isbn|available|retrieved|accessed|ph\.?d|master|msc|bsc|thesis|dissertation|preprint)\b/iu.test(
      venue,
    );
  return isVenue ? venue : undefined;
}

/** "In", also with editors: "In J. Pullman (Ed.),", "In:". */
const LEAD = new RegExp(`^[\\s.,;:]*(?:\\(?[Ii]n:?\\s+(?!press\\b)(?:${EDITORS})?)?`, "u");

/** A venue that no element marks: it must be followed by numbers. */
const readPlainVenue = (text: string): string | undefined =>
  /^([^\d,;:()]{3,120}?)[\s,.]*(?:,\s*)?(?:vol\.?\s*)?(?=(?:19|20)?\d{1,4}\s*[(:;,–-])/iu.exec(
    text,
  )?.[1];

type Numbers = Pick<Citation, "volume" | "issue" | "pages" | "doi">;

function readNumbers(behind: string): Numbers {
  const doi = /\b(10\.\d{4,9}\/[^\s"<>]*[^\s"<>.,;)\]])/u.exec(behind)?.[1];
  const text = behind.replace(/(?:doi:?\s*)?(?:https?:\/\/\S+|\b10\.\d{4,9}\/\S+)/giu, " ");
  const named =
    /\bvol(?:ume|\.)?\s*(\d{1,4})/iu.exec(text)?.[1] ??
    /(?<![\d–-])(\d{1,4}),?\s+(?:no|nr)\.\s*\d/u.exec(text)?.[1];
  const [, joined, inBrackets = ""] =
    /(?<![\d–-])(\d{1,4})\s*\((\d{1,5}(?:[–/-]\d{1,3})?)\)/u.exec(text) ?? [];
  const alone =
    /(?:^|[\p{L})\s,;])(\d{1,4})(?=\s*[,:]\s*(?:pp?\.?\s*)?[A-Za-z]?\d+\s?[–—-]\s?[A-Za-z]?\d)/u.exec(
      text,
    )?.[1];
  const isYear = (number: string | undefined): boolean => /^(?:19|20)\d\d$/.test(number ?? "");
  const volume = named ?? joined ?? (isYear(alone) ? undefined : alone);
  const issue =
    /(?<!(?:report|paper|series)\s)\b(?:no|nr|issue)\.?\s*(\d{1,3})(?![\d-])/iu.exec(text)?.[1] ??
    (isYear(inBrackets) || inBrackets === "" ? undefined : inBrackets);
  const [, first, last] =
    /(?<![\d/–-])(?:pp?\.?\s*|S\.\s*)?([A-Za-z]?\d{1,6})\s?[–—-]\s?([A-Za-z]?\d{1,6})(?![\d/–-])/u.exec(
      text.replace(/\(\d{1,4}[–/-]\d{1,3}\)/gu, " "),
    ) ?? [];
  // A span of years, a date and the number of a report are no pages.
  const isSpan = first !== undefined && last !== undefined && isPageSpan(first, last);
  return {
    ...(volume === undefined ? {} : { volume }),
    ...(issue === undefined ? {} : { issue }),
    ...(isSpan ? { pages: `${first}–${last}` } : {}),
    ...(doi === undefined ? {} : { doi }),
  };
}

/** "611–629" and the short form "611–29", "S1–S12". */
function isPageSpan(first: string, last: string): boolean {
  const [from, to] = [first, last].map((page) => Number(page.replace(/^\p{L}/u, ""))) as [
    number,
    number,
  ];
  const isYears = [first, last].every((page) => /^(?:19|20)\d\d$/.test(page));
  return (
    !isYears &&
    (to >= from || (last.length < first.length && last.length > 1 && !last.startsWith("0")))
  );
}

const INITIALS = /^(?:\p{Lu}\.?[\s-]?){1,4}$/u;
const PARTICLE =
  "(?:van|von|de|da|dos|di|del|della|der|den|du|la|le|el|al|bin|ten|ter|zu|af|av|y|e|Jr\\.?|Sr\\.?|I{2,3})";
const WORD = "\\p{Lu}[\\p{L}.’'-]*";
const PERSON = new RegExp(`^(?:${PARTICLE}\\s)*${WORD}(?:\\s(?:${WORD}|${PARTICLE})){0,5}$`, "u");
const MAX_PERSON = 60;

/**
 * The names in a line of authors, as written: "Okafor, C., & Lind, M." are "Okafor, C." and "Lind,
 * M.". Undefined if one part is no name of a person.
 */
function splitAuthors(written: string): string[] | undefined {
  const text = trimAuthorNotes(written);
  if (text === "" || text.length > MAX_AUTHORS_TEXT) return undefined;
  const joined = text
    .replaceAll(/(?<=\p{L}|\.)\s?\/\s?(?=\p{Lu})/gu, ";")
    .replace(/,?\s+(?:and|und|et|y|e|en|och|og|&)\s+/gu, text.includes(";") ? ";" : ",");
  const parts = joined
    .split(joined.includes(";") ? ";" : ",")
    .map((part) => part.trim().replace(/^&\s*/u, ""))
    .filter((part) => part !== "");
  const names: string[] = [];
  // "Miller, Anna, and Tom Berg": the first one may stand with the family name first.
  const isInverted =
    parts.length > 1 && parts.slice(0, 2).every((part) => /^[\p{L}’'-]+$/u.test(part));
  for (const [at, part] of parts.entries()) {
    const last = names.at(-1);
    if (isInverted && at === 1) names[0] = `${last}, ${part}`;
    else if (
      INITIALS.test(part) &&
      last !== undefined &&
      !last.includes(",") &&
      !/\p{Lu}\.$/u.test(last)
    )
      names[names.length - 1] = `${last}, ${part}`;
    else names.push(part);
  }
  const isPerson = (name: string): boolean => {
    const [family = "", given, ...more] = name.split(/,\s*/u);
    return (
      name.length <= MAX_PERSON &&
      more.length === 0 &&
      PERSON.test(family) &&
      (given === undefined || INITIALS.test(given) || PERSON.test(given)) &&
      // One word alone is no full name of a person.
      (given !== undefined || /[\s.]/u.test(name) || parts.length > 2)
    );
  };
  return names.every(isPerson) ? names : undefined;
}
