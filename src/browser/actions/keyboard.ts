// Types text and presses keys.
import type { Frame, Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement } from "../page/page-surface.ts";
import { StepFault } from "./failure.ts";
import { openHere } from "./open-here.ts";
import { STEP_MS } from "./step.ts";

declare const document: PageDocument;

/**
 * Number of characters typed one by one, a millisecond each. The rest is inserted at once, as if
 * pasted.
 */
const TYPED_CHARACTERS = 1_000;

/**
 * Types into the focused element of the page or a frame. Throws StepFault if it does not accept
 * text.
 */
export async function write(page: Page, text: string, deadline: Deadline): Promise<void> {
  using until = deadline.createChild(STEP_MS.script);
  if (!(await until.race(takesText(page))))
    throw new StepFault("no field has the focus; click the field first");
  // By code point, so that none is split.
  const characters = Array.from(text);
  await until.race(page.keyboard.type(characters.slice(0, TYPED_CHARACTERS).join("")));
  const rest = characters.slice(TYPED_CHARACTERS).join("");
  if (rest !== "") await until.race(page.keyboard.insertText(rest));
}

async function takesText(page: Page): Promise<boolean> {
  let frame: Frame | undefined = page.mainFrame();
  while (frame !== undefined) {
    const focus: Focus = await frame.evaluate(readFocus);
    if (focus !== "frame") return focus === "field";
    frame = await findFocusedChild(frame);
  }
  return true;
}

type Focus = "field" | "frame" | "none";

/**
 * Runs in the page. Any focused element but the body may accept keys, such as a canvas with
 * tabindex or a custom editor.
 */
function readFocus(): Focus {
  let active: PageElement | null = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active?.localName === "iframe") return "frame";
  if (document.designMode === "on" || active?.isContentEditable === true) return "field";
  const isPage = active === null || active === document.body || active === document.documentElement;
  return isPage ? "none" : "field";
}

async function findFocusedChild(frame: Frame): Promise<Frame | undefined> {
  for (const child of frame.childFrames()) {
    const holder = await child.frameElement().catch(() => undefined);
    if ((await holder?.evaluate(hasFocus).catch(() => false)) === true) return child;
  }
  return undefined;
}

/** Runs in the page. */
function hasFocus(node: PageElement): boolean {
  return node.getRootNode().activeElement === node;
}

/** Key names of other tools, by lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: "Enter",
  esc: "Escape",
  del: "Delete",
  ins: "Insert",
  space: "Space",
  spacebar: "Space",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  option: "Alt",
  pgup: "PageUp",
  pgdn: "PageDown",
};
const NAMES =
  "Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight Shift Control Alt Meta F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12".split(
    " ",
  );
const BY_LOWER_CASE = new Map([
  ...Object.entries(OTHER_NAMES),
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
]);

/** Converts a key to Playwright's spelling: "ENTER" -> "Enter", "ctrl+a" -> "Control+a". */
export function normalizeKey(key: string): string {
  if (key.length === 1) return key;
  return key
    .split(/(?<=[^+])\+/)
    .map((part) => BY_LOWER_CASE.get(part.trim().toLowerCase()) ?? part)
    .join("+");
}

/** Presses a key or a combination such as Control+A. Throws StepFault for an unknown key. */
export async function press(page: Page, key: string, deadline: Deadline): Promise<void> {
  using until = deadline.createChild(STEP_MS.patience);
  for (const frame of page.frames())
    await until.race(frame.evaluate(openHere, null).catch(() => undefined));
  try {
    await until.race(page.keyboard.press(normalizeKey(key)));
  } catch (error) {
    if (error instanceof Error && error.message.includes("Unknown key"))
      throw new StepFault(`unknown key ${JSON.stringify(key)}`, { cause: error });
    throw error;
  }
}
