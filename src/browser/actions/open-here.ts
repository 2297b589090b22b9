// Opens links and forms with a new-tab target in the page itself, so that the next step can
// continue there.

import type { PageElement } from "../page/page-surface.ts";

declare const document: { readonly activeElement: PageElement | null };

/** Runs in the page, on the element about to be used or on the focused one. */
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
