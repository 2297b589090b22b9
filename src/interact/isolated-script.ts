// Runs scripts beside the page, in a world whose built-ins the page cannot replace.
import type { CDPSession } from "playwright-core";

const TIMEOUT_MS = 500;

/** Returns the script's value; undefined if it fails or the page does not respond in time. */
export async function evaluateIsolated(
  cast: CDPSession,
  expression: string,
  maxMs = TIMEOUT_MS,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxMs);
  });
  const evaluate = async (): Promise<unknown> => {
    const { frameTree } = await cast.send("Page.getFrameTree");
    const { executionContextId } = await cast.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: "quarry",
    });
    const { result } = await cast.send("Runtime.evaluate", {
      expression,
      contextId: executionContextId,
      returnByValue: true,
      timeout: maxMs,
    });
    return result.value as unknown;
  };
  try {
    return await Promise.race([evaluate(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The selected text of the page or of the focused field; nothing of a password. */
export const SELECTED_TEXT = `(() => {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field.type === "password") return "";
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  return String(getSelection());
})()`;

/** True if a password field has the focus. */
export const IS_PASSWORD = `(() => {
  for (let active = document.activeElement; active !== null; ) {
    if (/^i?frame$/.test(active.localName)) {
      // The focused element in a frame of another site is unknown.
      if (active.contentDocument === null) return true;
      active = active.contentDocument.activeElement;
    } else if (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    else return active.localName === "input" && active.type === "password";
  }
  return false;
})()`;

/**
 * Finds a CSS selector of the control at a point: by id, test id, name, label, link or place.
 * Returns null if only a frame is there. The selector matches no other element.
 */
export const buildSelectorScript = (x: number, y: number): string => `(() => {
  const found = document.elementFromPoint(${x}, ${y});
  if (found === null || found instanceof HTMLIFrameElement) return null;
  const element =
    found.closest("a[href], button, input, select, textarea, label, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox]") ?? found;
  const isOnly = (selector) => {
    try { return document.querySelectorAll(selector).length === 1; } catch { return false; }
  };
  const tag = (one) => CSS.escape(one.localName);
  const byAttribute = (one) => {
    const id = one.id;
    if (id !== "" && !/\\d{4,}|[:]/.test(id) && isOnly("#" + CSS.escape(id))) return "#" + CSS.escape(id);
    for (const name of ["data-testid", "data-test", "name", "aria-label", "placeholder", "href", "title", "alt"]) {
      const value = one.getAttribute(name);
      if (value === null || value === "" || value.length > 200) continue;
      const selector = tag(one) + "[" + name + "=" + JSON.stringify(value) + "]";
      if (isOnly(selector)) return selector;
    }
    return undefined;
  };
  const path = [];
  for (let one = element; one !== null && one !== document.documentElement; one = one.parentElement) {
    const direct = byAttribute(one);
    if (direct !== undefined) { path.unshift(direct); break; }
    const twins = [...(one.parentElement?.children ?? [])].filter((other) => other.localName === one.localName);
    path.unshift(twins.length > 1 ? tag(one) + ":nth-of-type(" + (twins.indexOf(one) + 1) + ")" : tag(one));
    if (isOnly(path.join(" > "))) break;
  }
  const selector = path.join(" > ");
  return isOnly(selector) ? selector : null;
})()`;
