// The pictures of a change: stored files while the check is kept, signed links on the wire.
import type { BlobLinks } from "../store/blobs/blob-url.ts";
import type { BlobRef } from "../store/blobs/blobs.ts";
import type { CheckPage } from "../store/monitors/monitor-checks.ts";
import type { PageFinding } from "./check-page.ts";
import type { Box } from "./picture.ts";

/** The three pictures are references to files in the store, and links on the wire. */
export type ShownPicture = {
  readonly share: number;
  readonly box?: Box;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
};

type About = CheckPage["about"];

const LINK_TTL_MS = 24 * 3_600_000;

export function describeShare({ share }: { readonly share: number }): string {
  const percent = share < 0.0001 ? "Less than 0.01" : (share * 100).toFixed(share < 0.01 ? 2 : 0);
  return `${percent} % of the picture differs.`;
}

/** Stores the pictures of a change; undefined for other findings. */
export async function keepPictures(
  { difference, previous, version }: PageFinding,
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<ShownPicture | undefined> {
  if (difference?.picture === undefined || previous?.picture === undefined) return undefined;
  if (version?.picture === undefined) return undefined;
  const { share, box, picture } = difference.picture;
  return {
    share,
    ...(box !== undefined && { box }),
    before: await keep(Buffer.from(previous.picture, "base64")),
    after: await keep(Buffer.from(version.picture, "base64")),
    difference: await keep(picture),
  };
}

function mapLinks(about: About, change: (link: string) => string): About {
  const { diff } = about as { readonly diff?: { readonly picture?: ShownPicture } | null };
  if (diff?.picture === undefined) return about;
  const { before, after, difference, ...found } = diff.picture;
  const picture = {
    ...found,
    before: change(before),
    after: change(after),
    difference: change(difference),
  };
  return { ...about, diff: { ...diff, picture } };
}

/** Replaces the references with signed paths that are valid for a day. */
export const signPictures = (page: CheckPage, links: BlobLinks, now: number): CheckPage => ({
  ...page,
  about: mapLinks(page.about, (ref) =>
    links.sign({ ref: ref as BlobRef, mimeType: "image/png", expiresAt: now + LINK_TTL_MS }),
  ),
});

/** Makes signed paths links; `base` is the address of this server. */
export const addBase = (about: About, base: string): About =>
  mapLinks(about, (path) => `${base}${path}`);
