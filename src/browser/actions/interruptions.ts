// What a page puts in the way of its visitor: dialogs are answered, windows it opens are closed.
import type { Dialog, Page } from "playwright-core";

/** After this many a page is not worth more; its script stands still, and the time of the step ends it. */
const MAX_DIALOGS = 100;

/**
 * Answers every dialog until disposed: alert and confirm with OK, prompt with its default text, beforeunload with leaving.
 * `onText` gets what they said.
 */
export function answerDialogs(page: Page, onText?: (text: string) => void): Disposable {
  let count = 0;
  const onDialog = (dialog: Dialog): void => {
    count += 1;
    if (count > MAX_DIALOGS) return;
    onText?.(`${dialog.type()}: ${dialog.message()}`);
    const text = dialog.type() === "prompt" ? dialog.defaultValue() : undefined;
    // Somebody else may have answered it, or its page is gone.
    dialog.accept(text).catch(() => undefined);
  };
  page.on("dialog", onDialog);
  return { [Symbol.dispose]: () => void page.off("dialog", onDialog) };
}

/** Closes the windows that scripts of the page open until disposed; `onClosed` gets the address of each. */
export function closePopups(page: Page, onClosed: (url: string) => void): Disposable {
  const onPopup = (popup: Page): void => {
    const close = (): void => {
      onClosed(popup.url());
      popup.close().catch(() => undefined);
    };
    if (popup.url() !== "" && popup.url() !== "about:blank") close();
    else
      void popup
        .waitForURL(/^(?!about:blank)/, { waitUntil: "commit", timeout: 500 })
        .then(close, close);
  };
  page.on("popup", onPopup);
  return { [Symbol.dispose]: () => void page.off("popup", onPopup) };
}
