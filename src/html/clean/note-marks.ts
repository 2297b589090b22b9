// Markup of notes: admonitions set apart from the text, footnotes and references to them.

const ADMONITION =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|callout|alert-(?:info|warning|danger|success|primary|secondary|note|tip)|admonitionblock|starlight-aside|custom-block|hint-box)(?:\s|$)/;
/**
 * Class names of notes in DocBook and Sphinx. They are too common as words to match anywhere in a
 * class.
 */
const INSERTED_NOTE =
  /^(?:note|tip|warning|caution|important|version(?:added|changed|removed)|deprecated(?:-removed)?)$/;
/**
 * Also set apart, but ignored by main content selection: Microsoft, MDN, GitBook, Hugo, rustdoc,
 * DocBook.
 */
const BOXED_NOTE =
  /(?:^|\s)(?:notecard|book-hint|hint--\w+|NOTE|TIP|WARNING|CAUTION|IMPORTANT|alert is-\w+)(?:\s|$)|^(?:note|tip|warning|caution|important|danger|attention|hint)$/;
const ADMONITION_TITLE =
  /(?:^|\s|_)(?:admonition-title|markdown-alert-title|callout-title|admonition-heading|admonitionHeading\w*|custom-block-title|starlight-aside__title|alert-heading|alert-title|callout-heading)(?:\s|$)/;
const NOTE_ID =
  /^(?:user-content-)?(?:fn|footnote|_footnotedef|cite_note|endnote|note|ftnt|_?ftn|_?edn|sdfootnote|fnote|foot(?=[-_]?\d))[-:_.]?[\w.:%()*†‡-]*$/i;
const REFERENCE = /^[[(]?\s*(?:note |n )?([\w*†‡§¶]{1,4})\s*[\])]?$/u;

/** True if the classes mark a note set apart from the text: a tip, a warning or a caution. */
export const isAdmonition = (classes: string): boolean =>
  ADMONITION.test(classes) || BOXED_NOTE.test(classes);

/**
 * True if the classes mark a note that interrupts a text. Accepts more classes than `isAdmonition`.
 */
export const isInsertedNote = (classes: string): boolean =>
  ADMONITION.test(classes) || INSERTED_NOTE.test(classes);

export const isAdmonitionTitle = (classes: string): boolean => ADMONITION_TITLE.test(classes);

/** True if the id has the shape of a footnote id. */
export const isNoteId = (id: string): boolean => NOTE_ID.test(id);

/**
 * Returns the label in the text of a footnote link ("1" for "[1]"), or undefined for other texts.
 */
export const readReferenceLabel = (text: string): string | undefined => REFERENCE.exec(text)?.[1];
