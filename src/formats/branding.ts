import { brandingProbe } from "../browser/branding/branding-probe.ts";
import { readProbed } from "../browser/page/page-probe.ts";
import type { FormatDeclaration } from "./format.ts";

/**
 * The page's design as a profile, computed from browser evidence. Omitted without that evidence.
 */
export const branding: FormatDeclaration<"branding"> = {
  name: "branding",
  needs: ["browser"],
  isWithoutText: true,
  evidence: () => ({ probes: [brandingProbe] }),
  bodies: { htmlOnly: "SCRAPE_BRANDING_NOT_SUPPORTED" },
  derive: async () => {
    const { toBranding } = await import("./branding/to-branding.ts");
    return (view) => {
      const evidence = readProbed(brandingProbe, view.input.probes);
      return view.kind === "html" && evidence !== undefined
        ? { branding: toBranding(evidence) }
        : {};
    };
  },
};
