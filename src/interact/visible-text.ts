// Reads a live page as people see it: during reading, content that people cannot see (faint, tiny,
// off-page, clipped, in the background color) is hidden from the reader too. The document is not
// modified unless the page forces its styles.
import type { CDPSession, Page } from "playwright-core";
import type { Deadline } from "../deadline.ts";
import { VISIBILITY_FUNCTIONS, type VisibilityCache } from "./visibility.ts";
import type * as Sights from "./visibility.ts";
import type {
  SeenDocument,
  SeenElement,
  SeenNode,
  SeenStyle,
  SeenText,
} from "./visibility-surface.ts";

// Sent to the page together, see SIGHT.
declare const isElementConcealed: typeof Sights.isElementConcealed;
declare const isTextConcealed: typeof Sights.isTextConcealed;
declare const findParent: typeof Sights.findParent;
declare const document: SeenDocument;
declare const getComputedStyle: (element: SeenElement) => SeenStyle;
declare const performance: { now(): number };

export type VisibleResult<T> = {
  readonly value: T;
  /** Number of texts and elements that were hidden. */
  readonly leftOut: number;
};

/** Thrown if the page conceals more than can be checked; it is not read. */
export class ConcealmentLimitError extends Error {
  constructor() {
    super("the page conceals too much text to be read");
  }
}

type Bounds = { readonly characters: number; readonly concealed: number; readonly ms: number };
type DrawResult = { readonly leftOut: number; readonly isTooMuch: boolean };
type World = { readonly session: CDPSession; readonly contextId: number };

/** Maximum text for a reader, with a margin, and the maximum work to check it. */
const BOUNDS: Bounds = { characters: 120_000, concealed: 3_000, ms: 3_000 };
const MAX_FRAMES = 50;
const WORLD = "sight";

/**
 * Runs `read` while concealed content is hidden. Throws the errors of `read`, and TooMuchConcealed.
 */
export async function readVisible<T>(
  page: Page,
  deadline: Deadline,
  read: () => Promise<T>,
): Promise<VisibleResult<T>> {
  const sessions: CDPSession[] = [];
  const worlds: World[] = [];
  try {
    sessions.push(...(await deadline.race(openSessions(page))));
    for (const session of sessions) worlds.push(...(await deadline.race(createWorlds(session))));
    const drawn = await deadline.race(
      Promise.all(worlds.map((world, index) => draw(world, index === 0))),
    );
    if (drawn.some(({ isTooMuch }) => isTooMuch)) throw new ConcealmentLimitError();
    const value = await read();
    return { value, leftOut: drawn.reduce((sum, { leftOut }) => sum + leftOut, 0) };
  } finally {
    await Promise.allSettled(worlds.map((world) => evaluate(world, LIFT)));
    await Promise.allSettled(sessions.map((session) => session.detach()));
  }
}

/** Sessions of the page and its cross-site frames. */
async function openSessions(page: Page): Promise<CDPSession[]> {
  const context = page.context();
  const others = page.frames().slice(1, MAX_FRAMES);
  const main = await context.newCDPSession(page);
  // A same-site frame has no separate session.
  const own = await Promise.all(
    others.map((frame) => context.newCDPSession(frame).catch(() => undefined)),
  );
  return [main, ...own.filter((session) => session !== undefined)];
}

type Tree = { readonly frame: { readonly id: string }; readonly childFrames?: readonly Tree[] };

async function createWorlds(session: CDPSession): Promise<World[]> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const found: string[] = [];
  const open: Tree[] = [frameTree];
  for (let tree = open.shift(); tree !== undefined; tree = open.shift()) {
    found.push(tree.frame.id);
    open.push(...(tree.childFrames ?? []));
  }
  const made = found.slice(0, MAX_FRAMES).map(async (frameId, index) => {
    const world = session.send("Page.createIsolatedWorld", { frameId, worldName: WORLD });
    if (index === 0) return (await world).executionContextId;
    return (await world.catch(() => undefined))?.executionContextId;
  });
  const ids = await Promise.all(made);
  return ids.filter((id) => id !== undefined).map((contextId) => ({ session, contextId }));
}

async function evaluate({ session, contextId }: World, expression: string): Promise<unknown> {
  const options = { expression, contextId, returnByValue: true };
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", options);
  if (exceptionDetails !== undefined) throw new Error("the page could not be inspected");
  return result.value as unknown;
}

/** A frame that is gone shows nothing; a missing page is the caller's error. */
async function draw(world: World, isPage: boolean): Promise<DrawResult> {
  try {
    return (await evaluate(world, DRAW)) as DrawResult;
  } catch (error) {
    if (isPage) throw error;
    return { leftOut: 0, isTooMuch: false };
  }
}

type ConcealedText = { readonly concealed: Set<SeenElement>; leftOut: number; isTooMuch: boolean };

/** Runs in the page: finds every concealed element with text or a name. */
function findConcealed({ characters, concealed, ms }: Bounds): ConcealedText {
  const cache: VisibilityCache = { known: new Map() };
  const found: ConcealedText = { concealed: new Set(), leftOut: 0, isTooMuch: false };
  const endsAt = performance.now() + ms;
  let seen = 0;
  const judgeText = (node: SeenText): void => {
    const text = (node.textContent ?? "").trim();
    const element = findParent(node);
    if (text === "" || element === undefined || isIgnoredElement(element) || !isShown(element))
      return;
    if (!isTextConcealed(node, element, cache)) seen += text.length;
    else if (!isControlName(element, text, cache)) {
      found.concealed.add(element);
      found.leftOut += 1;
    }
  };
  const visit = (root: SeenNode): void => {
    const walker = document.createTreeWalker(root, 1 + 4);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (seen > characters) return;
      found.isTooMuch = found.concealed.size > concealed || performance.now() > endsAt;
      if (found.isTooMuch) return;
      if (node.nodeType === 3) {
        judgeText(node as SeenText);
        continue;
      }
      const element = node as SeenElement;
      if (isNamed(element) && isShown(element))
        if (isElementConcealed(element, cache) && !hasVisibleLabel(element, cache)) {
          found.concealed.add(element);
          found.leftOut += 1;
        }
      if (element.shadowRoot !== null) visit(element.shadowRoot);
    }
  };
  if (document.documentElement !== null) visit(document.documentElement);
  return found;
}

/** True if it is rendered. An element without a box is where its parent is. */
function isShown(element: SeenElement): boolean {
  let at: SeenElement | undefined = element;
  while (at !== undefined && getComputedStyle(at).display === "contents") at = findParent(at);
  return at?.checkVisibility({ visibilityProperty: true }) === true;
}

/** True for elements whose text is not page text or is shown in a special way. */
function isIgnoredElement({ localName }: SeenElement): boolean {
  return /^(?:script|style|noscript|template|title|head|option|optgroup|textarea)$/.test(localName);
}

/** True if it is exposed to the reader by its role or attributes. */
function isNamed(element: SeenElement): boolean {
  if (/^(?:img|input|textarea|select|iframe|area|object|embed|video)$/.test(element.localName))
    return true;
  return ["aria-label", "aria-description", "title"].some((name) => element.hasAttribute(name));
}

/** True for the label of a button or link that is shown as a picture. */
function isControlName(element: SeenElement, text: string, cache: VisibilityCache): boolean {
  if (text.length > 60) return false;
  const control = element.closest(
    "a[href],button,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=switch]",
  );
  if (control === null || (control.textContent ?? "").length > 120) return false;
  if (isElementConcealed(control, cache)) return false;
  const walker = document.createTreeWalker(control, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = findParent(node as SeenText);
    if ((node.textContent ?? "").trim() === "" || parent === undefined) continue;
    if (!isTextConcealed(node, parent, cache)) return false;
  }
  return true;
}

/** True for a checkbox or file input that the page draws itself, beside a visible label. */
function hasVisibleLabel(
  { localName, type, labels }: SeenElement,
  cache: VisibilityCache,
): boolean {
  if (localName !== "input" || !/^(?:checkbox|radio|file)$/.test(String(type))) return false;
  return [...(labels ?? [])].some((label) => !isElementConcealed(label, cache));
}

/** Runs in the page. Visible content inside a concealed element stays. */
function hideConcealed(bounds: Bounds): DrawResult {
  const { concealed, leftOut, isTooMuch } = findConcealed(bounds);
  const shown = new Set<SeenElement>();
  for (const element of concealed)
    for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])])
      if (!concealed.has(child) && getComputedStyle(child).visibility === "visible")
        shown.add(child);
  const undo: Undo = [];
  (globalThis as { undoVeil?: Undo }).undoVeil = undo;
  for (const element of concealed) {
    setVisibility(element, "hidden", undo);
    // Readers take the text of elements without a box.
    if (getComputedStyle(element).display === "contents")
      overrideStyle(element, "display", "none", undo);
  }
  for (const element of shown) setVisibility(element, "visible", undo);
  return { leftOut, isTooMuch };
}

type Undo = (() => void)[];

function setVisibility(element: SeenElement, visibility: string, undo: Undo): void {
  const frames = [{ visibility }, { visibility }];
  const animation = element.animate(frames, { duration: 1e9, fill: "both" });
  undo.push(() => animation.cancel());
  if (getComputedStyle(element).visibility === visibility) return;
  // The page forces its own style.
  overrideStyle(element, "transition", "none", undo);
  overrideStyle(element, "visibility", visibility, undo);
}

function overrideStyle({ style }: SeenElement, name: string, value: string, undo: Undo): void {
  if (style === undefined) return;
  const before = [style.getPropertyValue(name), style.getPropertyPriority(name)] as const;
  style.setProperty(name, value, "important");
  undo.push(() => style.setProperty(name, ...before));
}

/** Runs in the page. */
function restoreConcealed(): void {
  for (const step of (globalThis as { undoVeil?: Undo }).undoVeil?.toReversed() ?? []) step();
}

const PARTS = [
  findConcealed,
  isShown,
  isIgnoredElement,
  isNamed,
  isControlName,
  hasVisibleLabel,
  hideConcealed,
  setVisibility,
  overrideStyle,
]
  .map((part) => part.toString())
  .join("\n");
const DRAW = `(() => { "use strict";\n${VISIBILITY_FUNCTIONS}\n${PARTS}\nreturn hideConcealed(${JSON.stringify(BOUNDS)}); })()`;
const LIFT = `(${restoreConcealed.toString()})()`;
