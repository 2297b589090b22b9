// Counts and signals of a page, collected while it was parsed. verdict.ts draws the
// conclusions.
import type { AnyNode, Document } from "domhandler";
import { readShortPageSigns, type ShortPageSigns } from "../clean/block-page-signatures.ts";
import { getElementIndex } from "./element-index.ts";
import { findLoadMore } from "./load-more.ts";

export type Evidence = ShortPageSigns & {
  /** Words that a reader would see, outside script, style, noscript and template. */
  readonly words: number;
  /** Frames of a frameset. Their text is in other pages. */
  readonly frames: number;
  readonly noscriptWords: number;
  readonly scripts: number;
  readonly passwordInputs: number;
  /** Elements that an application mounts into and that hold no text. */
  readonly emptyMounts: number;
  /** True if the page says that it needs JavaScript or is still loading. */
  readonly asksForScript: boolean;
  readonly title: string;
  /** Text of the first heading, to recognize error pages with status 200. */
  readonly heading: string;
  /** Label of the button below a list that adds entries to it, or "". */
  readonly loadMore: string;
};

/** Reads the counts and signals of a parsed page. */
export function readEvidence(document: Document): Evidence {
  const { text, mounts, linking } = getElementIndex(document);
  const { words, noscriptWords, scripts, passwordInputs } = text;
  return {
    words,
    frames: linking.filter(({ name }) => name === "frame").length,
    noscriptWords,
    scripts,
    passwordInputs,
    emptyMounts: mounts.filter((mount) => !mount.children.some(holdsElementOrText)).length,
    asksForScript:
      ASKS_FOR_SCRIPT.test(text.noscriptOpening) ||
      (words < 80 && (ASKS_FOR_SCRIPT.test(text.opening) || LOADING.test(text.opening.trim()))),
    title: text.title.trim(),
    heading: text.heading.trim(),
    loadMore: findLoadMore(document),
    ...readShortPageSigns(document, { words, scripts }),
  };
}

/** Messages for browsers without scripts, and loading placeholders. */
const ASKS_FOR_SCRIPT =
  /\b(?:enable|activate|turn on|requires?|needs?|without|disabled|unsupported|aktivieren|activer|activar|attivare)\b[^.]{0,60}\bjava-?script\b|\bjava-?script\b[^.]{0,60}\b(?:enabled?|required|necessary|disabled|turned off|not (?:supported|available)|aktivier|activ|attiv|erforderlich|nécessaire|necesario)/i;
const LOADING =
  /^\W*(?:[\p{L}\p{N} .|–-]{0,40}\s)?(?:loading|please wait|wird geladen|chargement|cargando|caricamento|загрузка|読み込み中|加载中)\W*$/iu;
function holdsElementOrText(node: AnyNode): boolean {
  if (node.type === "text") return node.data.trim() !== "";
  return (
    "name" in node && node.name !== "script" && node.name !== "style" && node.name !== "noscript"
  );
}
