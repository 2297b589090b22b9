import { describe, expect, test } from "vitest";
import { scoreLabelSimilarity, toWanted } from "../visible/label-match.ts";
import { parseName } from "./names.ts";
import { TEXT_SHAPE } from "../values/values.ts";
import { readConcepts } from "./vocabulary.ts";

const score = (field: string, label: string): number =>
  Math.max(
    ...toWanted(parseName(field), TEXT_SHAPE, new Set()).map((wanted) =>
      scoreLabelSimilarity(wanted, label),
    ),
  );

describe("names of concepts", () => {
  test("names of a concept begin with the concept itself", () => {
    for (const { concept, names } of readConcepts()) expect(names[0]).toBe(concept);
  });

  test("lists each concept once, and each name once per concept", () => {
    const concepts = readConcepts();
    expect(new Set(concepts.map(({ concept }) => concept)).size).toBe(concepts.length);
    for (const { concept, names } of concepts) {
      const keys = names.map((name) => parseName(name).loose);
      const repeated = names.filter((_, at) => keys.indexOf(keys[at] ?? "") !== at);
      expect(repeated, concept).toEqual([]);
    }
  });

  test("concepts share a word only where it has both meanings", () => {
    const shared = new Map<string, Set<string>>();
    for (const { names } of readConcepts())
      for (const name of names) {
        const { loose, concepts } = parseName(name);
        if (concepts.size < 2) continue;
        const meanings = [...concepts].toSorted().join(" | ");
        shared.set(meanings, (shared.get(meanings) ?? new Set()).add(loose));
      }
    const found = Object.fromEntries(
      [...shared].map(([meanings, keys]) => [meanings, [...keys].toSorted().join(", ")]),
    );
    expect(found).toEqual(SHARED);
  });
});

/** Labels with several meanings, by the concepts that they mean. */
const SHARED: Readonly<Record<string, string>> = {
  "condition | conditions": "condition",
  "dinner | price": "cena",
  "elevator | ski lifts": "lift",
  "one way | single ticket": "aller simple, enkele reis, menolippu, 片道",
  "return | return fare":
    "aller retour, andata e ritorno, hin und ruckfahrt, ida e volta, ida y vulta, menopaluu, oda vissza, tam i z powrotem, tur och retur, tur retur, туда и обратно, 往復",
  "return | returns": "return",
  "time of day | total time": "time",
  "actors | performer": "interprete, interpreti, mitwirkende, 出演者",
  "additional costs | fee": "charge",
  "address | director": "direccion",
  "address | location": "所在地",
  "address | street": "住所, 地址",
  "assists | attendance": "asistencia, assistencia",
  "author | city": "by",
  "author | screenwriter": "writer, written by",
  "available from | start": "tilltrade",
  "bedrooms | rooms": "habitacione, numero de quarto, quarto",
  "benefits | net income": "beneficio",
  "body | points": "body",
  "brand | yields": "make",
  "age limit | certifications": "certification",
  "cover charge | ticket price": "cover charge",
  "office | room":
    "despacho, kamernummer, mistnost, numer pokoju, office room, raum, raumnummer, rumsnummer, zimmernummer, кабинет",
  "room | rooms": "kamer, room, rum, zimmer, 房间, 部屋",
  "capacity | openings": "antal platser, numero de vaga, numero di posti, pocet mist",
  "capacity | seat | seats won": "seat",
  "carrier | operator":
    "carrier, dopravce, przewoznik, transporteur, vervorder, vettore, перевозчик, перевізник, 承运人",
  "case number | reference number": "aktenzeichen",
  "category | department": "department",
  "category | genre": "genre",
  "category | keywords | topic": "topic",
  "city | location": "miejscowosc, ort, город",
  "coach | director": "감독",
  "coach | instructor": "trainer, trainerin, المدرب",
  "company | operator": "compania",
  "condition | region | status": "estado",
  "condition | status": "الحالة",
  "cook time | instructions": "cook",
  "cooking method | instructions": "cooking method",
  "country of origin | origin": "origem, origen, origin, origine",
  "country | nationality": "nationality",
  "country | salary": "maa",
  "data source | publisher": "source",
  "date | start":
    "cuando, date and time, event date, hvornar, kdy, kiedy, nar, quand, quando, termin, wann, when, когда",
  "deadline | due date": "scadenza",
  "doors open | number of doors": "deuren, door, dører, porta, purta, двери",
  "duration | length": "delka, długosc, langd, lange, length, længde",
  "duration | total time": "cza, duracion",
  "entry requirements | requirements": "prerequis, prerequisite, voraussetzungen, 지원자격",
  "fee | price": "gebuhr",
  "fee | price | tuition": "fee",
  "first name | name": "имя",
  "fiscal year | fiscal year end": "決算期",
  "gender | genre": "genere, genero",
  "guests | gusts": "gust",
  "headquarters | seats won": "zetel",
  "headquarters | seats won | won": "siege",
  "image | images": "image, photo, picture",
  "instructions | prep time": "preparacion, preparation, preparazione, vorbereitung",
  "instructor | performer": "prednasejici",
  "job | rank": "position, posizione, pusto",
  "last name | name": "nom",
  "location | rank": "miejsce, place, место",
  "location | salary": "plat",
  "location | stadium": "spielstatte",
  "longitude | salary": "lon",
  "medical specialty | research interests":
    "especialidad, especialidade, specialite, specializace, specialty, specjalizacja, uzmanlık alanı, специальность",
  "name | sku": "ad",
  "new features | published": "added",
  "office hours | opening hours": "sprechzeiten",
  "opening hours | weekly hours": "график работы, графік роботи",
  "openings | spots left": "pocet volnych mist, posti disponibili",
  "order number | sku": "bestellnummer",
  "order total | total time": "gesamt, total",
  "played | political party": "partido",
  "points | rating": "puan",
  "prep time | weekly hours": "arbeitszeit, arbejdstid",
  "price | rent": "affitto, alquiler, loyer, miete, rent",
  "price | ticket price | tickets": "eintritt, ticket price",
  "price | ticket price | tuition": "참가비, 参加費",
  "price | ticket price":
    "admission fee, admission price, biljettpris, billetpris, billettpris, cena biletu, eintrittspreis, entrance fee, entry fee, prix du billet, ticketpreis, vstupne, стоимость билета, цена билета, ціна квитка, 입장료, 入場料, 票价, 票價",
  "price | tuition":
    "course fee, kursgebuhr, kursgebuhren, teilnahmebeitrag, teilnahmegebuhr, 수강료, 受講料",
  "quantity | rooms": "piece",
  "quantity | yields": "antal, quantity",
  "rating count | reviews list": "review",
  "rating count | votes cast": "vote",
  "reference number | sku": "listing id, ref, ref number, reference, referencia",
  "region | status": "state",
  "start | starters": "starter",
  "stop name | stops": "arret, halte, parada, stop",
  "stops | transfers": "aktarma, aktarma sayısı, aktarmalar, liczba przesiadek, пересадки, 轉乘",
  "study workload | workload": "workload",
  "ticket price | tickets": "admission, entree, entry",
  "year | year built": "yapım yılı",
  "manager | thesis supervisor": "supervisor",
  "organizer | thesis supervisor": "promotor",
  "performer | thesis supervisor": "relatore, relatori",
  "age bracket | age limit":
    "age group, age range, altersgruppe, faixa etaria, fascia di eta, leeftijdscategorie, tranche d age, yas grubu, الفية العمرية",
  "rating | remarks": "note",
  "education | university name": "university",
  "call number | case number": "sygnatura",
  "maintainers | thesis supervisor": "betreur",
  "change in value | transfers": "change",
  "assessment weight | weight": "weight",
  "best before date | deadline": "expiry date",
  "answer | answer count": "answer",
  "view | view count": "view",
  "bedrooms | number of beds": "bed",
  "decision date | ruling date":
    "beslutsdatum, data da decisao, date de la decision, entscheidungsdatum, karar tarihi",
};

test.each([
  // Jobs
  ["application_deadline", "Deadline"],
  ["applicationDeadline", "Bewerbungsfrist"],
  ["deadline", "Date limite de candidature"],
  ["reference_number", "Kennziffer"],
  ["job_reference", "Référence de l'offre"],
  ["employer", "Arbeitgeber"],
  ["employment_type", "Rodzaj umowy"],
  ["weekly_hours", "Wochenarbeitszeit"],
  ["salary", "Zarobki"],
  ["contact_person", "Ansprechpartnerin"],
  ["vacation_days", "Urlaubstage"],
  ["experience", "Опыт работы"],
  ["education", "学歴"],
  ["start_date", "Eintrittsdatum"],
  // Events
  ["date", "開催日"],
  ["doors_open", "Einlass"],
  ["end_time", "Slutar"],
  ["venue", "Místo konání"],
  ["capacity", "Aforo"],
  ["ticket_price", "Eintritt"],
  ["organizer", "主办方"],
  ["age_limit", "Возрастное ограничение"],
  ["performers", "Künstler"],
  // Contacts
  ["department", "Abteilung"],
  ["office", "Bureau"],
  ["mobile", "Handy"],
  ["mobilePhone", "Cellulare"],
  ["emergency_phone", "Notruf"],
  ["manager", "Kierownik"],
  ["vat_id", "USt-IdNr."],
  ["vat_number", "Partita IVA"],
  ["register_number", "Handelsregister"],
  ["email", "E-Mail-Adresse"],
  ["opening_hours", "Godziny otwarcia"],
  ["address", "住所"],
  // Real estate
  ["area", "Wohnfläche (m²)"],
  ["bedrooms", "Slaapkamers"],
  ["bathrooms", "욕실"],
  ["floor", "Piętro"],
  ["year_built", "Baujahr"],
  ["energy_class", "Energielabel"],
  ["available_from", "Bezugsfrei ab"],
  ["deposit", "敷金"],
  ["monthly_fee", "Månadsavgift"],
  ["plot_area", "Grundstücksfläche"],
  ["parking", "Parcheggio"],
  // Software and plans
  ["downloads", "Загрузки"],
  ["dependencies", "依赖"],
  ["repository", "Dépôt Git"],
  ["file_size", "Dateigröße"],
  // Movies and books
  ["director", "Reżyseria"],
  ["cast", "Rollista"],
  ["runtime", "片长"],
  ["original_title", "Titolo originale"],
  ["age_rating", "FSK"],
  ["pages", "Počet stran"],
  ["translator", "옮긴이"],
  ["series", "Reihe"],
  // Courses
  ["course_code", "Kursnummer"],
  ["credits", "ECTS-Punkte"],
  ["entry_requirements", "Voraussetzungen"],
  ["instructor", "講師"],
  // Products and orders
  ["dimensions", "Abmessungen"],
  ["warranty", "Gwarancja"],
  ["shipping_cost", "Verzendkosten"],
  ["order_date", "Bestelldatum"],
  ["tracking_number", "Sendungsnummer"],
  ["estimated_delivery", "お届け予定日"],
  ["subtotal", "Zwischensumme"],
  ["tax", "MwSt."],
  ["total", "Gesamtsumme"],
  ["payment_method", "Forma de pago"],
  ["delivery_address", "Lieferadresse"],
  ["billing_address", "Dirección de facturación"],
  // Transport and weather
  ["departure_time", "Abfahrt"],
  ["arrival", "도착시간"],
  ["origin", "Откуда"],
  ["destination", "Zielbahnhof"],
  ["platform", "Gleis"],
  ["humidity", "Luftfeuchtigkeit"],
  ["wind_speed", "Vitesse du vent"],
  // Companies
  ["revenue", "Umsatz"],
  ["founded", "設立"],
  ["employees", "Liczba pracowników"],
  ["headquarters", "Siège social"],
  ["ceo", "Geschäftsführer"],
  ["ticker", "证券代码"],
])("%s is labeled %s", (field, label) => {
  expect(score(field, label)).toBeGreaterThanOrEqual(0.9);
});

test.each([
  ["start_date", "Enddatum"],
  ["end_date", "Startdatum"],
  ["delivery_address", "Rechnungsadresse"],
  ["billing_address", "Lieferadresse"],
  ["delivery_address", "E-Mail-Adresse"],
  ["phone", "Handy"],
  ["phone", "Telefax"],
  ["mobile", "Notruf"],
  ["vat_id", "Steuernummer"],
  ["register_number", "USt-IdNr."],
  ["office_hours", "Office"],
  ["opening_hours", "Ruhetag"],
  ["employer", "Ansprechpartner"],
  ["experience", "Karrierestufe"],
  ["application_deadline", "Eintrittsdatum"],
  ["doors_open", "Beginn"],
  ["start_date", "Einlass"],
  ["organizer", "Veranstaltungsort"],
  ["area", "Grundstücksfläche"],
  ["plot_area", "Wohnfläche"],
  ["rooms", "Badezimmer"],
  ["bathrooms", "Schlafzimmer"],
  ["floor", "Anzahl Etagen"],
  ["rent", "Warmmiete"],
  ["deposit", "Kaltmiete"],
  ["price", "Versandkosten"],
  ["title", "Originaltitel"],
  ["author", "Übersetzer"],
  ["author", "Illustrator"],
  ["translator", "Autor"],
  ["width", "Tiefe"],
  ["length", "Tiefe"],
  ["size", "Dateigröße"],
  ["order_date", "Lieferdatum"],
  ["estimated_delivery", "Bestelldatum"],
  ["order_number", "Sendungsnummer"],
  ["total", "Zwischensumme"],
  ["subtotal", "Gesamtsumme"],
  ["tax", "USt-IdNr."],
  ["departure", "Ankunft"],
  ["destination", "Abfahrtsort"],
  ["temperature", "Gefühlte Temperatur"],
  ["revenue", "Jahresüberschuss"],
  ["founder", "Gründungsjahr"],
])("%s is not labeled %s", (field, label) => {
  expect(score(field, label)).toBeLessThan(0.5);
});
