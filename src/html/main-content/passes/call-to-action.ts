// Lines below a paragraph that address the reader instead of the topic: follow us, share this,
// subscribe.

const NETWORK =
  "(?:twitter|facebook|instagram|youtube|linkedin|telegram|whatsapp|pinterest|tiktok|threads|bluesky|mastodon|google news|flipboard|social media|x(?=[\\s.,!)]|$))";
const FOLLOW =
  "(?:follow|(?:like|find|join) (?:us|me)|connect with|subscribe to|folgen? sie|folgt?|folge|suivez|síguenos|sigue|sígueme|siga|segui(?:ci|teci)?|volg|obserwuj|подписывайтесь)";
const SUBSCRIBE =
  "(?:subscribe|sign up|sign me up|join our|abonnieren sie|abonniere|melden sie sich|jetzt (?:für )?(?:den |unseren )?newsletter|abonnez-vous|inscrivez-vous|suscríbete|apúntate|inscreva-se|assine|iscriviti|schrijf je in|zapisz się)";
const APPEAL = new RegExp(
  "(?:^|[.!?…] )[^\\p{L}\\p{N}]*(?:" +
    [
      `(?:be sure to |you can (?:also )?|please )?${FOLLOW}(?![\\p{L}\\p{N}]).{0,60}?(?<![\\p{L}\\p{N}])${NETWORK}`,
      `${SUBSCRIBE}(?![\\p{L}\\p{N}]).{0,160}(?:newsletters?|inbox|mailing list|postfach|youtube|e-?mail updates|breaking news)(?![\\p{L}\\p{N}])`,
      "(?:like|love|enjoy)(?:d|ed)? (?:this|what you|our) .{0,40}[?!,] .{0,30}(?:share|subscribe|follow|sign up)",
      "(?:please )?share this (?:article|post|story|page|recipe|with)(?![\\p{L}\\p{N}])|sharing is caring",
      "this slideshow requires javascript",
    ].join("|") +
    ")",
  "iu",
);

/**
 * True if a sentence asks to follow, share or subscribe, or states the requirements of a slide
 * show.
 */
export const isCallToAction = (text: string): boolean => APPEAL.test(text);
