// How pages mark notes: admonitions set apart from the text, footnotes and what refers to them.

const ADMONITION =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|callout|alert-(?:info|warning|danger|success|primary|secondary|note|tip)|admonitionblock|starlight-aside|custom-block|hint-box)(?:\s|$)/;
/** What DocBook and Sphinx call theirs; too common as words to be one anywhere. */
const INSERTED_NOTE =
  /^(?:note|tip|warning|caution|important|version(?:added|changed|removed)|deprecated(?:-removed)?)$/;
/** Set apart as well, but not counted by what chooses the main content: Microsoft, MDN, GitBook, Hugo, rustdoc, DocBook. */
const BOXED_NOTE =
  /(?:^|\s)(?:notecard|book-hint|hint--\w+|NOTE|TIP|WARNING|CAUTION|IMPORTANT|alert is-\w+)(?:\s|$)|^(?:note|tip|warning|caution|important|danger|attention|hint)$/;
const ADMONITION_TITLE =
  /(?:^|\s|_)(?:admonition-title|markdown-alert-title|callout-title|admonition-heading|admonitionHeading\w*|custom-block-title|starlight-aside__title|alert-heading|alert-title|callout-heading)(?:\s|$)/;
const NOTE_ID =
  /^(?:user-content-)?(?:fn|footnote|_footnotedef|cite_note|endnote|note|ftnt|_?ftn|_?edn|sdfootnote|fnote|foot(?=[-_]?\d))[-:_.]?[\w.:%()*†‡-]*$/i;
const REFERENCE = /^[[(]?\s*(?:note |n )?([\w*†‡§¶]{1,4})\s*[\])]?$/u;

/** Whether an element of these classes is a note set apart from the text: a tip, a warning, a caution. */
export const isAdmonition = (classes: string): boolean =>
  ADMONITION.test(classes) || BOXED_NOTE.test(classes);

/** Whether an element of these classes is a note that interrupts a text; more classes count than make an admonition by themselves. */
export const isInsertedNote = (classes: string): boolean =>
  ADMONITION.test(classes) || INSERTED_NOTE.test(classes);

export const isAdmonitionTitle = (classes: string): boolean => ADMONITION_TITLE.test(classes);

/** Whether an id is one that footnotes have. */
export const isNoteId = (id: string): boolean => NOTE_ID.test(id);

/** The label in the text of a link to a footnote, "1" in "[1]"; undefined for other texts. */
export const referenceLabel = (text: string): string | undefined => REFERENCE.exec(text)?.[1];
