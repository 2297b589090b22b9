const YEAR_SECONDS = 31_536_000;

/**
 * Keeps how the frame looks in a cookie, so that the server sends the document in that look.
 * Undefined forgets the choice.
 */
export function keepChoice(name: "theme" | "rail", value: string | undefined): void {
  const life = value === undefined ? 0 : YEAR_SECONDS;
  document.cookie = `quarry_${name}=${value ?? ""}; Path=/; Max-Age=${life}; SameSite=Strict`;
}
