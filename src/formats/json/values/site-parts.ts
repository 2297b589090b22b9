// Pages that every site has.

/** Headings of pages that every site has: they name no museum, company or product. */
const SITE_PARTS: ReadonlySet<string> = new Set(
  "changelog version neuigkeiten änderungen versionen about us our programme program programm schedule agenda timetable speaker sponsor venue workshop ticket review blog news shop cart basket checkout new arrival sale offer gift faq help support newsletter warenkorb neuheiten angebote panier nouveautés avis room rate contact opening hour time admission price pricing ticket fee visit plan your location direction how to find team imprint and & the öffnungszeiten eintrittspreise eintritt preise anfahrt kontakt impressum über uns und tarifs horaires nous contacter contact et horarios precios contacto y orari prezzi contatti e openingstijden prijzen en zimmer chambre habitacione camere kamer".split(
    " ",
  ),
);

/** Headings of such pages whose words alone may be a name: "History" is a course too. */
const SITE_PHRASE = /^(?:(?:release|patch) notes?|(?:version|release) history|releases)$/;

/** True for "Opening hours & admission", also in front of the name of the site. */
export const isSitePageTitle = (title: string): boolean => {
  const words =
    title
      .split(/\s[-–—|·]\s/u, 1)
      .join("")
      .toLowerCase()
      .match(/[\p{L}&]+/gu) ?? [];
  return (
    SITE_PHRASE.test(words.join(" ")) ||
    (words.length > 0 &&
      words.every((word) => SITE_PARTS.has(word) || SITE_PARTS.has(word.replace(/s$/, ""))))
  );
};
