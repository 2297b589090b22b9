import { createHash } from "node:crypto";
import { findIncomplete, type Capture } from "../capture.ts";

/**
 * Equal for captures that are converted to the same document. Undefined for pages of the browser,
 * errors and incomplete pages.
 */
export function computeFingerprint(capture: Capture): string | undefined {
  const { engine, statusCode, finalUrl, contentType, body } = capture;
  if (engine !== "http" || statusCode !== 200 || findIncomplete(capture) !== undefined)
    return undefined;
  return createHash("sha256")
    .update(JSON.stringify([finalUrl, contentType]))
    .update(body)
    .digest("base64url");
}
