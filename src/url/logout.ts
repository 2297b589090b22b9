// Links that end a session. A crawl with a profile must not follow them.

const WORDS = [
  "log[-_ ]?(?:me[-_ ])?(?:out|off)",
  "sign[-_ ]?(?:out|off)",
  "user[-_]?logout",
  "end[-_ ]?session",
  "(?:ab|aus)meld(?:en|ung)",
  "ausloggen",
  "d(?:é|e|%C3%A9)connexion",
  "(?:se[-_ ])?d(?:é|e|%C3%A9)connecter",
  "cerrar[-_ ]?ses(?:i|í|%C3%AD)(?:o|ó|%C3%B3)n",
  "desconectar(?:se)?",
  "uitloggen|afmelden",
  "logga[-_ ]?ut|logg[-_ ]?ud|log[-_ ]?ud|kirjaudu[-_ ]?ulos",
  "disconnetti|esci",
  "wyloguj",
  "выйти",
  "ログアウト|サインアウト|退出登录|登出|로그아웃",
].join("|");

/**
 * Matches a whole segment of a path or value: /logout, /users/sign_out, logout.php,
 * Special:UserLogout, action=logout.
 */
const IN_ADDRESS = new RegExp(`(?:^|[/=:&;?])(?:do|auto)?(?:${WORDS})(?:$|[/.;&?=])`, "i");
const LOGOUT_TEXT = new RegExp(`^\\W*(?:${WORDS})\\W*$`, "iu");

/** True if the link would log the visitor out, by its address or text. */
export function isLogout(url: URL, text = ""): boolean {
  return IN_ADDRESS.test(`${url.pathname}${url.search}`) || (text !== "" && LOGOUT_TEXT.test(text));
}
