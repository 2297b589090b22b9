// Links and forms that would open a new tab open in the page itself, where the next step can go on with them.

import type { PageElement } from "../page/page-surface.ts";

declare const document: { readonly activeElement: PageElement | null };

/** Runs in the page, on the element that is about to be used, or on the one with the focus. */
export function openHere(node: PageElement | null): void {
  const from = node ?? document.activeElement;
  const element = from === null || from.nodeType === 1 ? from : from.parentElement;
  if (element === null) return;
  element.closest("a[href], area[href]")?.setAttribute("target", "_self");
  const control = element.closest("button, input, select, textarea");
  if (control === null) return;
  control.removeAttribute("formtarget");
  if (control.form === undefined || control.form === null) return;
  control.form.setAttribute("target", "_self");
  for (const submitter of control.form.querySelectorAll("[formtarget]"))
    submitter.removeAttribute("formtarget");
}
