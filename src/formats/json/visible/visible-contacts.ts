// Finds e-mail addresses, telephone and fax numbers, by their label, by the name of the mailbox, or as
// the only one in their part of the page.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { toSingularWords, type Name } from "../names/names.ts";
import { selectPlacesOfType, type Place, type VisibleScope } from "./visible-scope.ts";

const PHONE_WORDS: ReadonlySet<string> = new Set(
  "phone telephone tel mobile number telefon téléphone telefono".split(" "),
);
const MAIL_WORDS: ReadonlySet<string> = new Set("email mail e address".split(" "));
/** Qualifiers that fit the only number or address of a page. */
const GENERAL: ReadonlySet<string> = new Set(
  "contact kontakt main general office company info inquiry enquiry customer service care support help helpline hotline reservation booking box agent admission application desk store shop".split(
    " ",
  ),
);

/**
 * Places of the requested contact; undefined if the property is none. A qualified one, such as
 * `press_email`, needs a mailbox of that name, or to be general and the only one.
 */
export function findContacts(wanted: Name, shape: Shape, scope: VisibleScope): Place[] | undefined {
  const { concepts, words } = wanted;
  if (concepts.has("fax")) return findPhones(scope, "fax");
  if (concepts.has("phone")) return findPhones(scope, "phone");
  const isEmail = concepts.has("email") || shape.format === "email";
  if (isEmail || words.some((word) => word === "email" || word === "mail")) {
    const personal = selectPlacesOfType(scope, "email").filter(isPersonal);
    return selectQualified(
      personal,
      words.filter((word) => !MAIL_WORDS.has(word)),
      ({ value }) => value.text.split("@", 1)[0] ?? "",
    );
  }
  if (shape.kind !== "string" || !words.some((word) => PHONE_WORDS.has(word) && word !== "number"))
    return undefined;
  return selectQualified(
    findPhones(scope, "phone"),
    words.filter((word) => !PHONE_WORDS.has(word)),
    (place) => labelBefore(scope, place),
  );
}

function selectQualified(
  places: readonly Place[],
  qualifiers: readonly string[],
  nameOf: (place: Place) => string,
): Place[] {
  const named = places.filter((place) => {
    const words = toSingularWords(nameOf(place));
    return qualifiers.length > 0 && qualifiers.every((word) => words.includes(word));
  });
  if (named.length > 0) return named;
  return qualifiers.every((word) => GENERAL.has(word)) ? [...places] : [];
}

/** Addresses of the site itself, on any page. */
const SITE_MAIL = /^(?:webmaster|postmaster|no-?reply|privacy|datenschutz|dpo|abuse|cookies?)@/i;
const isPersonal = ({ value }: Place): boolean => !SITE_MAIL.test(value.text);

/** Telephone or fax numbers; a number in a `tel:` link is a telephone number. */
function findPhones(scope: VisibleScope, kind: "phone" | "fax"): Place[] {
  const shown = selectPlacesOfType(scope, "phone").map((place) => ({
    place,
    label: labelBefore(scope, place),
  }));
  if (kind === "fax") return shown.filter(({ label }) => FAX.test(label)).map(({ place }) => place);
  const linked = scope
    .elements("a")
    .filter(({ element }) => element.attribs["href"]?.startsWith("tel:"))
    .map((node): Place => {
      const text = scope.model.lineOf(node);
      const written = /\d/.test(text)
        ? text
        : (node.element.attribs["href"] ?? "").slice("tel:".length);
      return { node, value: { type: "phone", text: written.trim(), at: 0 } };
    });
  if (linked.length > 0) return linked;
  const own = shown.filter(({ place }) => !isInBrackets(scope, place));
  const voice = own.filter(({ label }) => !FAX.test(label) && !OTHER_PHONE.test(label));
  const labeled = voice.filter(({ label }) => TELEPHONE.test(label));
  return (labeled.length > 0 ? labeled : voice).map(({ place }) => place);
}

/** A number in the brackets of a sentence is that of what the sentence names: "(Merrin Ferries, tel. …)". */
function isInBrackets({ model, isPage }: VisibleScope, { node, value }: Place): boolean {
  const line = model.lineOf(node);
  const before = line.slice(0, Math.max(0, line.indexOf(value.text)));
  return (
    isPage &&
    line.length > value.text.length + MIN_SENTENCE &&
    before.lastIndexOf("(") > before.lastIndexOf(")")
  );
}

const MIN_SENTENCE = 60;

const FAX = /(?:^|[^\p{L}])(?:f|fax|telefax|faks|факс|传真|팩스)[\s.:：]*$/iu;
const TELEPHONE =
  /(?:^|[^\p{L}])(?:t|tel|telefon|fon|phone|telephone|téléphone|tél|teléfono|telefono|тел|телефон|電話|电话|전화)[\s.:：]*$/iu;
/** Numbers for another purpose than that of the page or record. */
const OTHER_PHONE =
  /(?:emergency|notfall|notruf|urgence|urgencias|emergenze|website|webdesign|imprint|design)[^\d]{0,40}$/iu;

/** The text before a number in its line. */
function labelBefore({ model }: VisibleScope, { node, value }: Place): string {
  const parent = model.parent(node);
  const around =
    parent !== undefined && parent.to - parent.from <= node.to - node.from + 60 ? parent : node;
  const line = model.textOf(around);
  const at = line.indexOf(value.text);
  return at <= 0 ? "" : line.slice(line.lastIndexOf("\n", at) + 1, at).slice(-60);
}
