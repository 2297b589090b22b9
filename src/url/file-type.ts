// File types that a crawl does not follow (wire contract 5.4), by extension. Documents such as PDF,
// DOCX and CSV count as pages.

const NEVER_FOLLOWED = new Set(
  [
    "png jpg jpeg gif css js ico svg tiff zip exe dmg mp4 mp3 wav pptx xlsx avi flv woff ttf woff2 webp inc",
    // Newer or rarer types of the same kinds.
    "avif bmp tif heic psd eot otf mjs wasm mov mkv webm m4a m4v ogg oga ogv flac aac wmv mpg mpeg",
    "gz tgz bz2 xz zst 7z rar tar iso img bin deb rpm apk msi pkg jar war",
  ]
    .join(" ")
    .split(" "),
);

/** Returns the extension, such as ".png", if a crawl does not follow it. */
export function findUnfollowedExtension(pathname: string): string | undefined {
  const dot = pathname.lastIndexOf(".");
  if (dot === -1 || pathname.length - dot > 6) return undefined;
  const extension = pathname.slice(dot + 1).toLowerCase();
  return NEVER_FOLLOWED.has(extension) ? `.${extension}` : undefined;
}

/** True if the name is typical of sitemaps and feeds, which list pages. */
export function isSitemapPath(pathname: string): boolean {
  return /\.xml(?:\.gz)?$|sitemap[^/]*\.(?:gz|txt)$|\/(?:sitemap|rss|atom)$/i.test(pathname);
}
