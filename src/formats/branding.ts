import { toBranding } from "./branding/profile.ts";
import type { PageFormat } from "./format.ts";

/** The page's looks as a profile, from what the browser saw of it; without a browser's evidence there is none. */
export const branding: PageFormat = {
  derive: (view) => {
    const evidence = view.input.branding;
    return view.kind === "html" && evidence !== undefined ? { branding: toBranding(evidence) } : {};
  },
};
