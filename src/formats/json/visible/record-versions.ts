// Finds the version of a record: at the start of its title, or the range that a dependency allows.
import type { WantedProperty } from "./label-match.ts";
import { getSegments, toAnswer } from "./segments.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { findTitleNode, readTitleText } from "./visible-title.ts";
import type { VisibleAnswer } from "./visible-value.ts";

/** Two numbers are a version where they stand alone; "1.5 GB" and "3.5 million" are amounts. */
const VERSION =
  /^(?:(?:version|release)\s|v(?=\d))?(?!\d{1,2}\.\d{1,2}\.\d{4}(?!\d))(\d{1,4}(?:\.\d{1,6}){1,3}(?:[-.]?[a-z]+[-.]?\d*(?:\.\d+)?)?)(?=\s|$)/iu;
const SURE_VERSION = /^(?:version\s|release\s|v\d)|^\d+\.\d+\.\d|^\S+$/iu;

/** The version at the start of the record's title. */
export function findVersion(scope: VisibleScope): VisibleAnswer | undefined {
  const title = findTitleNode(scope);
  // A badge behind the version is an element of its own: "5.3 Stable".
  const text = title === undefined ? "" : readTitleText(scope, title);
  const named = SURE_VERSION.test(text) ? readVersion(text) : undefined;
  if (title !== undefined && named !== undefined)
    return toAnswer(scope, { node: title, text: scope.model.lineOf(title) }, named);
  return undefined;
}

const TAG_NAME = /^(?:(?:git|release|version) )?tag(?: name)?$/;
const TAG = /^(?:release[-/])?v?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-.+]?[a-z\d]+){0,4}$/i;
const COMMIT_NAME =
  /^(?:(?:short )?commit(?: (?:sha|hash|id))?|(?:commit )?(?:sha|hash)|revision)$/;
const COMMIT = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,40}$/;

/** The only tag or commit of a record in a list of releases: "v2.4.0-rc.1", "47c1e09d5f". */
export function findTagOrCommit(
  { name }: WantedProperty,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const notation = TAG_NAME.test(name.key) ? TAG : COMMIT_NAME.test(name.key) ? COMMIT : undefined;
  if (notation === undefined) return undefined;
  const found = getSegments(scope).filter(({ text }) => notation.test(text));
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => text)).size > 1) return undefined;
  return toAnswer(scope, first, first.text);
}

const VERSION_RANGE_NAME =
  /^(?:(?:version|semver) (?:range|constraint|requirement|spec)|range|constraint|required version)$/;
const DEPENDENCY = /^(?:dependency|package|module|requirement|peer|library)$/;
const MAX_RANGE = 40;
const COMPARATOR = /^(?:~>|[<>]=?|[=!~]=|[~^=])?v?\d[\w.*+-]*$/;

/** "^2.1.0", ">=1.4,<2", "~> 3.0", "1.x || 2.x", "*". */
function isVersionRange(text: string): boolean {
  if (text.length > MAX_RANGE) return false;
  if (/^(?:\*|latest)$/i.test(text)) return true;
  const parts = text
    .replaceAll(/([~^<>=]) (?=v?\d)/g, "$1")
    .split(/ - | ?\|\| ?|, ?| /)
    .filter((part) => part !== "");
  return parts.every((part) => COMPARATOR.test(part)) && parts.some((part) => /^\D|\./.test(part));
}

/** The only version range of a record: "^2.1.0" behind the name of a dependency. */
export function findVersionRange(
  { base, typeWords }: WantedProperty,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const isOfDependency =
    base.key === "version" && [...typeWords].some((word) => DEPENDENCY.test(word));
  if (!isOfDependency && !VERSION_RANGE_NAME.test(base.key)) return undefined;
  const found = getSegments(scope).filter(({ text }) => isVersionRange(text));
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => text)).size > 1) return undefined;
  return toAnswer(scope, first, first.text);
}

function readVersion(text: string): string | undefined {
  const [, version] = VERSION.exec(text) ?? [];
  return version === undefined
    ? undefined
    : /^v\d/i.test(text)
      ? `${text.slice(0, 1)}${version}`
      : version;
}
