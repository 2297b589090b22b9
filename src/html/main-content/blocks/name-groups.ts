// Name groups: meanings of a tag, role, class or id. Names are evidence for the model, never a
// decision.

const WORDS: Readonly<Record<string, string>> = {
  content:
    "content contents article articlebody story storybody entry body main maincontent text copy prose richtext rte wysiwyg inhalt contenido contenu",
  post: "post posts blog blogpost single page",
  comment:
    "comment comments commentlist disqus respond reply replies discussion kommentar kommentare comentarios",
  nav: "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumbs pagination pager paging sitemap topbar toolbar navi menue",
  footer: "footer foot bottom colophon copyright legal disclaimer imprint impressum",
  side: "sidebar side aside rail widget widgets complementary secondary sticky right left",
  related:
    "related recommended recommendation recommendations recommend more similar popular trending latest recent mostread upsell crosssell readmore promoted also next prev previous suggestions mehr weitere",
  overlay:
    "modal popup overlay cookie cookies consent gdpr newsletter subscribe subscription signup login register lightbox dialog paywall search searchform alert notice toast",
  labels:
    "tag tags category categories label labels badge badges chip chips topics keywords hashtag filter filters facet facets sort",
  media:
    "caption captions image images img photo photos picture gallery figure video player thumb thumbnail media",
  meta: "meta byline author authors date time timestamp published info details datum posted credit credits source views",
  product:
    "product products price prices pricing description desc spec specs specification specifications attributes sku feature features detail buy cart basket shop stock variant variants",
  card: "card cards item items tile tiles teaser teasers box cell slide slider carousel swiper slick",
  review: "review reviews rating ratings stars testimonial testimonials quote quotes feedback",
  docs: "doc docs documentation markdown md highlight code codehilite example api reference guide section sect",
};
const FRAGMENTS: Readonly<Record<string, string>> = {
  content: "content article story maintext",
  meta: "byline author publish",
  product: "product price",
  card: "teaser carousel",
  comment: "comment disqus",
  nav: "navig navbar menu breadcrumb pagina",
  footer: "footer",
  side: "sidebar widget",
  related: "related recommend popular",
  overlay: "cookie consent newsletter modal popup subscri",
  labels: "categor",
  media: "caption gallery",
  review: "review testimonial",
};
const TAGS: Readonly<Record<string, string>> = {
  "tag-nav": "nav",
  "tag-footer": "footer",
  "tag-header": "header",
  "tag-aside": "aside",
  "tag-main": "main",
  "tag-article": "article",
  "tag-form": "form fieldset label",
  "tag-list": "ul ol menu",
  "tag-item": "li",
  "tag-table": "table",
  "tag-figure": "figure",
  "tag-caption": "figcaption caption",
  "tag-paragraph": "p",
  "tag-dialog": "dialog",
};
const ROLES: Readonly<Record<string, string>> = {
  navigation: "tag-nav",
  menu: "tag-nav",
  menubar: "tag-nav",
  contentinfo: "tag-footer",
  banner: "tag-header",
  complementary: "tag-aside",
  search: "tag-form",
  main: "tag-main",
  article: "tag-article",
  dialog: "tag-dialog",
  alertdialog: "tag-dialog",
};

/** The groups in bit order. Every group is one feature of the model. */
export const GROUP_NAMES: readonly string[] = [
  ...Object.keys(WORDS),
  ...Object.keys(TAGS),
  "schema-body",
];

const BIT = new Map(GROUP_NAMES.map((name, index) => [name, index]));
const getGroupBit = (name: string): number => BIT.get(name) ?? 0;
const updateHash = (hash: number, letter: number): number =>
  Math.imul((hash === 0 ? 0x811c9dc5 : hash) ^ letter, 0x01000193);
/** Bits by word hash. */
const WORD_BITS = new Map<number, number>();
for (const [name, words] of Object.entries(WORDS))
  for (const word of words.split(" ")) {
    let hash = 0;
    for (const letter of word) hash = updateHash(hash, letter.charCodeAt(0) - 97);
    WORD_BITS.set(hash, (WORD_BITS.get(hash) ?? 0) | (1 << getGroupBit(name)));
  }
const TAG_BITS = new Map<string, number>();
for (const [name, tags] of Object.entries(TAGS))
  for (const tag of tags.split(" ")) TAG_BITS.set(tag, 1 << getGroupBit(name));
const ROLE_BITS = new Map(
  Object.entries(ROLES).map(([role, name]): [string, number] => [role, 1 << getGroupBit(name)]),
);
const ALPHABET_LETTERS = 26;
const FIRST_LETTER = 97;
/**
 * Aho–Corasick automaton that finds fragments in one pass: next state by state and letter, and the
 * groups that end there.
 */
const { step: STEP, found: FOUND } = buildAutomaton();

function buildAutomaton(): { readonly step: Uint16Array; readonly found: Int32Array } {
  const newRow = (): number[] => Array.from({ length: ALPHABET_LETTERS }, () => -1);
  const next: number[][] = [newRow()];
  const bits: number[] = [0];
  for (const [name, parts] of Object.entries(FRAGMENTS))
    for (const part of parts.split(" ")) {
      let state = 0;
      for (const letter of part) {
        const at = letter.charCodeAt(0) - FIRST_LETTER;
        if (next[state]![at] === -1) {
          next[state]![at] = next.push(newRow()) - 1;
          bits.push(0);
        }
        state = next[state]![at]!;
      }
      bits[state]! |= 1 << getGroupBit(name);
    }
  const fallback = next.map(() => 0);
  const open = [0];
  for (const state of open) {
    for (let letter = 0; letter < ALPHABET_LETTERS; letter++) {
      const target = next[state]![letter]!;
      const other = state === 0 ? 0 : next[fallback[state]!]![letter]!;
      if (target === -1) next[state]![letter] = other;
      else {
        fallback[target] = other;
        bits[target]! |= bits[other]!;
        open.push(target);
      }
    }
  }
  return { step: Uint16Array.from(next.flat()), found: Int32Array.from(bits) };
}

/** Splits on non-letters and camelCase. */
function readWordBits(names: string): number {
  let bits = 0;
  let word = 0;
  let length = 0;
  let state = 0;
  let wasSmall = false;
  for (let index = 0; index <= names.length; index++) {
    const code = index < names.length ? names.charCodeAt(index) : 0;
    const isCapital = code >= 65 && code <= 90;
    const letter = (isCapital ? code + 32 : code) - FIRST_LETTER;
    const isLetter = letter >= 0 && letter < ALPHABET_LETTERS;
    if (length > 0 && (!isLetter || (isCapital && wasSmall))) {
      if (length > 1) bits |= WORD_BITS.get(word) ?? 0;
      word = 0;
      length = 0;
      state = 0;
    }
    wasSmall = isLetter && !isCapital;
    if (!isLetter) continue;
    word = updateHash(word, letter);
    length++;
    state = STEP[state * ALPHABET_LETTERS + letter]!;
    bits |= FOUND[state]!;
  }
  return bits;
}

const SCHEMA_BODY = 1 << getGroupBit("schema-body");
const BODY_PROPERTY = /articleBody|^text$|description|reviewBody/i;
const MAX_NAMES_CHARACTERS = 400;

/** Returns the group bits of a tag. */
export const getTagGroups = (tag: string): number => TAG_BITS.get(tag) ?? 0;
/** Returns the group bits of the words in a class or an id. */
export const getNameGroups = (names: string): number =>
  names.length > MAX_NAMES_CHARACTERS ? 0 : readWordBits(names);

/** Returns the group bits of another attribute's value: a role, or a schema.org property. */
export function getValueGroups(attribute: string, value: string): number {
  if (attribute === "role") return ROLE_BITS.get(value.toLowerCase()) ?? 0;
  return attribute === "itemprop" && BODY_PROPERTY.test(value) ? SCHEMA_BODY : 0;
}
