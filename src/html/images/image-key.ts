// Recognizes a picture that is shown several times in different sizes: for narrow screens, as a
// thumbnail, or before lazy loading. Image servers encode the size in a few places of the address.

/** Parameters that only set size or quality of a picture. */
const SIZE_PARAMETERS = new Set(
  (
    "w width h height size s sw sh wid hei imwidth maxwidth max-w resize fit crop rect auto q quality f fm fmt format dpr ssl " +
    "strip op_usm resmode trim scale"
  ).split(" "),
);
/** Path segments that transform a picture: "300x200", "w_360,h_360,c_fill", "fit-in", "w300". */
const SIZE_PART =
  /^(?:\d{1,4}x\d{0,4}|x\d{1,4}|[wh][_-]?\d{1,4}|fit-in|(?:[a-z]{1,3}_[\w.:-]+,)+[a-z]{1,3}_[\w.:-]+|q\d{1,3})$/;
/** Size suffix before the file extension: "-300x200", "_600x", "@2x". */
const SIZE_SUFFIX = /(?:[-_]\d{1,4}x\d{0,4}(?:_crop_\w+)?|@[234]x)(?=\.\w{3,5}$)/;

/** Returns one key for all sizes of a picture, or the address itself if it names no size. */
export function computeImageKey(address: string): string {
  if (!/^https?:/i.test(address)) return address;
  const hash = address.indexOf("#");
  const whole = hash < 0 ? address : address.slice(0, hash);
  const question = whole.indexOf("?");
  const path = question < 0 ? whole : whole.slice(0, question);
  const parts = path.split("/").filter((part, index) => index < 3 || !SIZE_PART.test(part));
  const file = parts.pop() ?? "";
  const kept =
    question < 0
      ? []
      : whole
          .slice(question + 1)
          .split("&")
          .filter((pair) => !isSize(pair));
  return `${parts.join("/")}/${file.replace(SIZE_SUFFIX, "")}?${kept.join("&")}`;
}

const isSize = (pair: string): boolean =>
  SIZE_PARAMETERS.has((pair.split("=", 1)[0] ?? "").toLowerCase());
