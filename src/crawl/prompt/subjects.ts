// Usual names for parts of a site and the path segments they correspond to.

/** Words of a prompt to path segments, the most usual first. */
const SUBJECTS: readonly {
  readonly words: readonly string[];
  readonly segments: readonly string[];
}[] = [
  {
    words: ["blog", "blogs", "blog post", "weblog"],
    segments: ["blog", "blogs", "weblog", "journal"],
  },
  {
    words: ["post", "article", "entry", "story"],
    segments: ["posts", "post", "articles", "article", "blog", "news", "stories"],
  },
  {
    words: ["news", "newsroom", "announcement"],
    segments: ["news", "newsroom", "aktuelles", "actualites", "noticias", "announcements"],
  },
  {
    words: ["doc", "documentation", "manual", "developer doc", "handbook"],
    segments: ["docs", "doc", "documentation", "manual", "handbook"],
  },
  {
    words: ["api", "api reference", "api doc", "reference"],
    segments: ["api", "api-reference", "reference", "apidocs"],
  },
  {
    words: ["guide", "tutorial", "how-to", "howto", "getting started"],
    segments: [
      "guides",
      "guide",
      "tutorials",
      "tutorial",
      "how-to",
      "howto",
      "getting-started",
      "learn",
    ],
  },
  {
    words: ["help", "support", "help center", "knowledge base", "faq"],
    segments: ["help", "support", "help-center", "kb", "knowledge-base", "faq", "faqs"],
  },
  { words: ["archive"], segments: ["archive", "archives", "archiv"] },
  { words: ["tag", "tag page", "topic"], segments: ["tag", "tags", "topic", "topics"] },
  {
    words: ["category", "category page"],
    segments: ["category", "categories", "cat", "kategorie"],
  },
  {
    words: ["author", "author page", "profile"],
    segments: ["author", "authors", "users", "user", "profile", "profiles"],
  },
  {
    words: ["product", "product page", "item"],
    segments: ["products", "product", "p", "item", "items"],
  },
  { words: ["shop", "store"], segments: ["shop", "store", "boutique"] },
  { words: ["pricing", "pricing page", "plan"], segments: ["pricing", "prices", "plans"] },
  {
    words: ["changelog", "release note", "release", "what's new"],
    segments: ["changelog", "releases", "release-notes", "whats-new"],
  },
  {
    words: ["career", "job", "opening", "vacancy", "job listing"],
    segments: ["careers", "career", "jobs", "job", "vacancies", "karriere"],
  },
  { words: ["event", "calendar"], segments: ["events", "event", "calendar"] },
  {
    words: ["press", "press release", "media"],
    segments: ["press", "press-releases", "media", "presse"],
  },
  {
    words: ["case study", "customer story", "customer"],
    segments: ["case-studies", "case-study", "customers", "customer-stories"],
  },
  {
    words: ["forum", "community", "discussion", "thread"],
    segments: ["forum", "forums", "community", "discussions", "thread", "threads"],
  },
  { words: ["comment"], segments: ["comments", "comment"] },
  {
    words: [
      "login",
      "login page",
      "sign in",
      "sign-in",
      "signup",
      "sign up",
      "account",
      "registration",
    ],
    segments: [
      "login",
      "signin",
      "sign-in",
      "signup",
      "sign-up",
      "register",
      "account",
      "accounts",
      "auth",
    ],
  },
  { words: ["cart", "checkout", "basket"], segments: ["cart", "checkout", "basket"] },
  { words: ["search", "search page", "search result"], segments: ["search", "suche", "recherche"] },
  {
    words: [
      "legal",
      "legal page",
      "imprint",
      "privacy",
      "privacy policy",
      "terms",
      "terms of service",
    ],
    segments: ["legal", "privacy", "privacy-policy", "terms", "tos", "imprint", "impressum"],
  },
  {
    words: ["about", "about page", "about us", "team"],
    segments: ["about", "about-us", "team", "company"],
  },
  { words: ["contact", "contact page"], segments: ["contact", "contact-us", "kontakt"] },
  { words: ["review", "testimonial"], segments: ["reviews", "review", "testimonials"] },
  { words: ["recipe"], segments: ["recipes", "recipe", "rezepte"] },
  { words: ["video"], segments: ["videos", "video", "watch"] },
  { words: ["podcast", "episode"], segments: ["podcast", "podcasts", "episodes"] },
  { words: ["gallery", "photo"], segments: ["gallery", "photos", "galerie"] },
  { words: ["wiki"], segments: ["wiki"] },
  {
    words: ["project", "portfolio", "work"],
    segments: ["projects", "project", "portfolio", "work"],
  },
  { words: ["service"], segments: ["services", "service"] },
  { words: ["pagination", "paginated page", "page number"], segments: ["page", "seite"] },
  { words: ["feed", "rss"], segments: ["feed", "feeds", "rss"] },
  { words: ["print", "print version"], segments: ["print"] },
];

const BY_WORDS = new Map(
  SUBJECTS.flatMap(({ words, segments }) => words.map((word) => [word, segments] as const)),
);

/** Strips a plural ending. */
export function singular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is|ews)$/.test(word) || word.length < 4) return word;
  return word.replace(/s$/, "");
}

/** Returns the path segments for the words; undefined for unusual names. */
export function segmentsOf(words: readonly string[]): readonly string[] | undefined {
  const plain = words.join(" ");
  const one = [...words.slice(0, -1), singular(words.at(-1) ?? "")].join(" ");
  return BY_WORDS.get(plain) ?? BY_WORDS.get(one);
}

/** Filler words beside a usual name: "blog posts", "documentation pages". */
export const GENERIC = new Set([
  "page",
  "post",
  "article",
  "section",
  "part",
  "area",
  "entry",
  "listing",
  "content",
  "material",
  "url",
  "link",
  "subpage",
]);

export const LANGUAGES: Readonly<Record<string, string>> = {
  english: "en",
  german: "de",
  french: "fr",
  spanish: "es",
  italian: "it",
  portuguese: "pt",
  dutch: "nl",
  polish: "pl",
  russian: "ru",
  japanese: "ja",
  chinese: "zh",
  korean: "ko",
  swedish: "sv",
  danish: "da",
  norwegian: "no",
  finnish: "fi",
  czech: "cs",
  turkish: "tr",
  arabic: "ar",
  greek: "el",
  hungarian: "hu",
  romanian: "ro",
  ukrainian: "uk",
  hebrew: "he",
};
