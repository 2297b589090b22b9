import { toBranding } from "./branding/profile.ts";
import type { PageFormat } from "./format.ts";

/** The page's look as a profile, computed from browser evidence. Omitted without that evidence. */
export const branding: PageFormat = {
  derive: (view) => {
    const evidence = view.input.branding;
    return view.kind === "html" && evidence !== undefined ? { branding: toBranding(evidence) } : {};
  },
};
