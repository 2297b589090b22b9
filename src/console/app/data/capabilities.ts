import type { CapabilitiesResponse } from "../../../contract/account/capabilities.ts";
import { call } from "./api.ts";

let known: Promise<CapabilitiesResponse> | undefined;

/** Loads the capabilities of this server once. */
export function loadCapabilities(): Promise<CapabilitiesResponse> {
  known ??= call<CapabilitiesResponse>("GET", "/v2/capabilities");
  known.catch(() => {
    known = undefined;
  });
  return known;
}
