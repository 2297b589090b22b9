// Registry of the engines, which fetch a URL. Planning, the waterfall and the host memory read the
// traits declared here; none of them knows an engine by name.
import type { EngineName } from "../capture.ts";
import type { BrowserFetch } from "./browser.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch } from "./http.ts";

export type EngineTraits = {
  /**
   * Runs the scripts of a page: serves actions, profiles and formats that need a browser, and waits
   * for one of few pages.
   */
  readonly renders: boolean;
};

/** Every engine, cheapest first. */
export const ENGINES = {
  http: { renders: false },
  browser: { renders: true },
} as const satisfies Partial<Record<EngineName, EngineTraits>>;

export type EngineKey = keyof typeof ENGINES;

/** The request of an attempt; an engine reads the part that concerns it. */
export type EngineRequest = HttpFetch & BrowserFetch;

/** The engines of this process. Plain HTTP is always there. */
export type Engines = { readonly http: Engine<HttpFetch> } & {
  readonly [Key in EngineKey]?: Engine<EngineRequest> | undefined;
};

const KEYS = Object.keys(ENGINES) as EngineKey[];

/** The engines of this process, cheapest first. */
export const listAvailableEngines = (engines: Engines): EngineKey[] =>
  KEYS.filter((key) => engines[key] !== undefined);

/** False for engines that make no attempt, such as the document parser. */
export const renders = (engine: EngineName): boolean =>
  engine in ENGINES && ENGINES[engine as EngineKey].renders;
