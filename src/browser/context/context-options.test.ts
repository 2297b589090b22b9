import { describe, expect, it } from "vitest";
import { COUNTRY_CODES } from "../../contract/page/countries.ts";
import {
  buildContextOptions,
  buildClientHints,
  findAppearance,
  type Emulation,
} from "./context-options.ts";
import { choosePlace } from "./place.ts";

const desktop: Emulation = {
  mobile: false,
  country: undefined,
  languages: [],
  skipTlsVerification: true,
  userAgent: undefined,
  agent: "Quarry/1 (+https://example.com)",
};

describe("choosePlace", () => {
  it("returns language and time zone of every country", () => {
    const zones = new Set(Intl.supportedValuesOf("timeZone"));
    for (const code of COUNTRY_CODES) {
      const place = choosePlace(code);
      if (place === undefined) {
        // Uninhabited islands have no time zone.
        expect(["bv", "hm"], code).toContain(code);
        continue;
      }
      expect(Intl.getCanonicalLocales(place.locale), code).toHaveLength(1);
      expect(zones.has(place.timeZone) || place.timeZone.length > 0, code).toBe(true);
    }
    expect(choosePlace("de")).toEqual({ locale: "de-DE", timeZone: "Europe/Berlin" });
    expect(choosePlace("us-generic")).toEqual({ locale: "en-US", timeZone: "America/New_York" });
    expect(choosePlace("br")).toEqual({ locale: "pt-BR", timeZone: "America/Sao_Paulo" });
    expect(choosePlace(undefined)).toBeUndefined();
    expect(choosePlace("xx1")).toBeUndefined();
  });
});

describe("buildContextOptions", () => {
  it("emulates a desktop with our identity in the user agent, unless the caller sets a user agent", () => {
    const options = buildContextOptions(desktop, "153.0.1.2");
    expect(options).toMatchObject({
      viewport: { width: 1_280, height: 800 },
      serviceWorkers: "block",
      acceptDownloads: false,
      locale: "en-US",
    });
    expect(options.userAgent).toMatch(/Chrome\/153\.0\.0\.0 Safari\/537\.36 Quarry\/1 \(\+https/);
    expect(buildContextOptions({ ...desktop, userAgent: "Mine/1" }, "153.0.1.2").userAgent).toBe(
      "Mine/1",
    );
  });

  it("prefers the caller's language over the country's, and ignores an invalid one", () => {
    const german = { ...desktop, country: "de" };
    expect(buildContextOptions(german, "1").locale).toBe("de-DE");
    expect(buildContextOptions({ ...german, languages: ["fr-CH"] }, "1").locale).toBe("fr-CH");
    expect(buildContextOptions({ ...german, languages: ["*"] }, "1").locale).toBe("en-US");
    expect(buildContextOptions({ ...german, languages: ["fr-CH"] }, "1").timezoneId).toBe(
      "Europe/Berlin",
    );
  });

  it("leaves user agent and languages of an enhanced page to its browser", () => {
    const enhanced = { ...desktop, agent: undefined, country: "de", enhanced: true };
    const options = buildContextOptions(enhanced, "153.0.1.2");
    expect(options).toMatchObject({ timezoneId: "Europe/Berlin" });
    expect(Object.keys(options)).not.toContain("locale");
    expect(Object.keys(options)).not.toContain("userAgent");
    expect(buildClientHints(enhanced, "153.0.1.2")).not.toHaveProperty("acceptLanguage");
    expect(findAppearance(enhanced)).toEqual({ languages: "de-DE" });
    const swiss = { ...enhanced, languages: ["de-CH", "*", "fr-CH"] };
    expect(findAppearance(swiss)).toEqual({ languages: "de-CH,fr-CH" });
    expect(findAppearance(desktop)).toBeUndefined();
  });

  it("returns client hints that match the user agent", () => {
    const phone = { ...desktop, mobile: true, languages: ["de-AT", "en"] };
    const identity = buildClientHints(phone, "153.0.1.2");
    expect(identity.userAgent).toContain("Mobile");
    expect(identity.userAgentMetadata).toMatchObject({ mobile: true, platform: "Android" });
    expect(identity.acceptLanguage).toBe("de-AT,de,en");
    expect(JSON.stringify(identity)).not.toContain("Headless");
  });
});
