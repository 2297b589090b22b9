// Handles interruptions: answers dialogs and closes popups.
import type { Dialog, Page } from "playwright-core";
import { TargetError } from "../../errors.ts";

/**
 * After this many dialogs no more are answered, so the page's script blocks until the step times
 * out.
 */
const MAX_DIALOGS = 100;

/**
 * Answers every dialog until disposed: alert and confirm with OK, prompt with its default text,
 * beforeunload with leave. `onText` receives their text.
 */
export function answerDialogs(page: Page, onText?: (text: string) => void): Disposable {
  let count = 0;
  const onDialog = (dialog: Dialog): void => {
    count += 1;
    if (count > MAX_DIALOGS) return;
    onText?.(`${dialog.type()}: ${dialog.message()}`);
    const text = dialog.type() === "prompt" ? dialog.defaultValue() : undefined;
    // Already answered, or its page is gone.
    dialog.accept(text).catch(() => undefined);
  };
  page.on("dialog", onDialog);
  return { [Symbol.dispose]: () => void page.off("dialog", onDialog) };
}

/** A page that opens more windows than this is aborted. */
const MAX_WINDOWS = 20;

/**
 * Closes windows opened by the page or by those windows until disposed. `tooMany` rejects when the
 * limit is exceeded.
 */
export function limitWindows(page: Page): Disposable & { readonly tooMany: Promise<never> } {
  const { promise: tooMany, reject } = Promise.withResolvers<never>();
  tooMany.catch(() => undefined);
  const context = page.context();
  let count = 0;
  const onPage = (opened: Page): void => {
    count += 1;
    closeOnceAddressed(opened, () => undefined);
    if (count <= MAX_WINDOWS) return;
    const host = URL.parse(page.url())?.host ?? "";
    const text = `The page of ${host} keeps opening windows.`;
    reject(new TargetError("SCRAPE_SITE_ERROR", text));
  };
  context.on("page", onPage);
  return { tooMany, [Symbol.dispose]: () => void context.off("page", onPage) };
}

/** Closes popups of the page's scripts until disposed. `onClosed` receives the address of each. */
export function closePopups(page: Page, onClosed: (url: string) => void): Disposable {
  const onPopup = (popup: Page): void => closeOnceAddressed(popup, onClosed);
  page.on("popup", onPopup);
  return { [Symbol.dispose]: () => void page.off("popup", onPopup) };
}

/** Closes a popup once its address is known, or after half a second. */
function closeOnceAddressed(opened: Page, onClosed: (url: string) => void): void {
  const close = (): void => {
    onClosed(opened.url());
    opened.close().catch(() => undefined);
  };
  if (opened.url() !== "" && opened.url() !== "about:blank") close();
  else
    void opened
      .waitForURL(/^(?!about:blank)/, { waitUntil: "commit", timeout: 500 })
      .then(close, close);
}
