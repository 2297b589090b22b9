// Files that are no pages (wire contract 5.4), told by their name alone. Documents such as PDF, DOCX and CSV are pages.

const NEVER_FOLLOWED = new Set(
  [
    "png jpg jpeg gif css js ico svg tiff zip exe dmg mp4 mp3 wav pptx xlsx avi flv woff ttf woff2 webp inc",
    // Of the same kinds, newer or rarer.
    "avif bmp tif heic psd eot otf mjs wasm mov mkv webm m4a m4v ogg oga ogv flac aac wmv mpg mpeg",
    "gz tgz bz2 xz zst 7z rar tar iso img bin deb rpm apk msi pkg jar war",
  ]
    .join(" ")
    .split(" "),
);

/** The extension, as ".png", when it is one that a crawl does not follow. */
export function fileTypeNotFollowed(pathname: string): string | undefined {
  const dot = pathname.lastIndexOf(".");
  if (dot === -1 || pathname.length - dot > 6) return undefined;
  const extension = pathname.slice(dot + 1).toLowerCase();
  return NEVER_FOLLOWED.has(extension) ? `.${extension}` : undefined;
}

/** Whether the name is one of sitemaps and feeds, which say what pages there are. */
export function isSitemapPath(pathname: string): boolean {
  return /\.xml(?:\.gz)?$|sitemap[^/]*\.(?:gz|txt)$|\/(?:sitemap|rss|atom)$/i.test(pathname);
}
