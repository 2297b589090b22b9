import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
} from "../../../../test/understanding/schema-pages.ts";

const valueOf = (name: string, lang: string, main: string, type: object = NUMBER): unknown =>
  readObject(pageOf(lang, main), { [name]: type })[name];

const listOf = (...texts: readonly string[]): string =>
  `<h1>Brisk</h1><p class="price">€49.00</p><ul class="grid gap-2 benefits">${texts.map((text) => `<li><svg aria-hidden="true"></svg><span>${text}</span></li>`).join("")}<li><span>USB-C</span></li></ul>`;
const paragraphOf = (text: string): string =>
  `<h1>Brisk</h1><section class="prose"><p>${text}</p></section>`;
const termOf = (term: string, text: string): string =>
  `<h1>Brisk</h1><dl class="grid grid-cols-2"><dt>${term}</dt><dd>${text}</dd></dl>`;
const questionOf = (question: string, answer: string): string =>
  `<h1>FAQ</h1><h3>${question}</h3><p>${answer}</p><h3>USB-C?</h3><p>USB-C.</p>`;
const detailsOf = (question: string, answer: string): string =>
  `<h1>FAQ</h1><details class="border-b"><summary>${question}</summary><p>${answer}</p></details><details class="border-b"><summary>USB-C?</summary><p>USB-C.</p></details>`;
const productOf = (name: string, price: string, text: string): string =>
  `<h1>${name}</h1><p class="price">${price}</p><p class="text-sm">${text}</p>`;

type Text = readonly [name: string, lang: string, text: string];
type Answer = readonly [name: string, lang: string, question: string, answer: string];
type Term = readonly [name: string, lang: string, term: string, text: string];
type Unit = readonly [name: string, lang: string, product: string, price: string, text: string];

describe("amounts beside their subject", () => {
  it.each<readonly [...Text, number]>([
    ["warranty_years", "en", "2-year warranty", 2],
    ["warranty_years", "en", "Warranty: 3 years", 3],
    ["warranty_years", "de", "2 Jahre Garantie", 2],
    ["warranty_years", "fr", "Garantie 2 ans", 2],
    ["warranty_years", "es", "3 años de garantía", 3],
    ["warranty_years", "nl", "5 jaar garantie", 5],
    ["guarantee_months", "de", "24 Monate Garantie", 24],
    ["guarantee_months", "en", "18-month guarantee", 18],
    ["return_days", "it", "Reso entro 14 giorni", 14],
    ["return_days", "en", "Free returns within 60 days", 60],
    ["return_days", "en", "Returns within 1,000 days", 1000],
    ["return_days", "de", "1.000 Tage Rückgabe", 1000],
    ["delivery_days", "en", "Delivery in 3 days", 3],
    ["delivery_days", "de", "Lieferung in 2 Tagen", 2],
    ["delivery_days", "fr", "Livraison en 5 jours", 5],
    ["duration_hours", "en", "Duration: 2.5 hours", 2.5],
    ["duration_hours", "de", "Dauer: 2,5 Stunden", 2.5],
  ])("give %s (%s) from the list item %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, listOf(text))).toBe(expected);
  });

  it.each<readonly [...Text, number]>([
    ["setup_fee", "en", "A one-time setup fee of $99 applies.", 99],
    ["setup_fee", "fr", "Frais d’installation : 60 €", 60],
    ["deposit", "fr", "Caution : 300 €", 300],
    ["deposit", "es", "Fianza: 250 €", 250],
    ["deposit", "it", "Deposito cauzionale: 400 €", 400],
    ["notice_weeks", "en", "Notice period: 4 weeks", 4],
    ["warranty_years", "en", "Every kettle comes with a 5-year warranty.", 5],
    ["warranty_years", "de", "Auf alle Geräte geben wir 3 Jahre Garantie.", 3],
  ])("give %s (%s) from the paragraph %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBe(expected);
  });

  it.each<readonly [...Unit, number]>([
    ["price", "de", "Bergkäse", "4,50 €", "250 g (18,00 €/kg)", 4.5],
    ["price", "fr", "Comté", "6,30 €", "300 g – 21 €/kg", 6.3],
    ["price", "nl", "Olijfolie", "€ 9,00", "75 cl (€ 12,00 per liter)", 9],
    ["price_per_kg", "it", "Pecorino", "4,50 €", "Prezzo al kg: 18 €", 18],
  ])("give %s (%s) of %s at %s beside %s", (name, lang, product, price, text, expected) => {
    expect(valueOf(name, lang, productOf(product, price, text))).toBe(expected);
  });

  it.each<readonly [...Term, number]>([
    ["warranty_years", "en", "Warranty", "24 months", 2],
    ["delivery_days", "en", "Delivery", "48 hours", 2],
    ["duration_hours", "en", "Duration", "2.5 hours", 2.5],
    ["deposit", "de", "Kaution", "1.500 €", 1500],
  ])("give %s (%s) when the term %s has the text %s", (name, lang, term, text, expected) => {
    expect(valueOf(name, lang, termOf(term, text))).toBe(expected);
  });

  it("give the deposit in the currency that the description names", () => {
    const type = { type: "number", description: "Deposit in pounds" };
    expect(valueOf("deposit", "en", paragraphOf("Deposit: £150"), type)).toBe(150);
  });
});

describe("amounts beside another subject", () => {
  it.each<Text>([
    ["warranty_years", "en", "2–5 year warranty"],
    ["warranty_years", "nl", "2 of 3 jaar garantie"],
    ["warranty_years", "de", "Bis zu 10 Jahre Garantie"],
    ["warranty_years", "en", "No 5-year warranty on sale items"],
    ["delivery_days", "en", "Delivery in 2-4 days"],
    ["delivery_days", "de", "Lieferung in 2 bis 4 Tagen"],
    ["delivery_days", "es", "Entrega en 3 o 4 días"],
    ["delivery_days", "it", "Consegna in 2/3 giorni"],
    ["delivery_days", "en", "We deliver 365 days a year"],
    ["delivery_days", "de", "Lieferung an 365 Tagen im Jahr"],
    ["return_days", "en", "Returns desk open 365 days a year"],
  ])("give no %s (%s) from the list item %s", (name, lang, text) => {
    expect(valueOf(name, lang, listOf(text))).toBeUndefined();
  });

  it.each<Text>([
    ["warranty_years", "en", "We have made kettles for 20 years, and every kettle has a warranty."],
    ["warranty_years", "de", "Seit 25 Jahren stehen wir für Qualität und Garantie."],
    ["warranty_years", "en", "Unlike a 1-year warranty, ours never ends."],
    ["warranty_years", "en", "Register the kettle to extend the warranty by 3 years."],
    ["warranty_years", "en", "Until 2022 the warranty was 5 years."],
    ["warranty_years", "de", "Früher gab es 5 Jahre Garantie."],
    ["warranty_years", "fr", "Jusqu’en 2021, la garantie était de 3 ans."],
    ["warranty_years", "es", "Antes la garantía era de 3 años."],
    ["warranty_years", "it", "Fino al 2022 la garanzia era di 5 anni."],
    ["warranty_years", "nl", "Vroeger was de garantie 5 jaar."],
    ["delivery_days", "en", "Orders can be cancelled until 2 days before delivery."],
    ["delivery_days", "de", "Rückgabe innerhalb von 14 Tagen nach Lieferung"],
    ["deposit", "en", "The balance of €800 is due 14 days after the deposit."],
    ["deposit", "en", "The deposit is refunded once the rent of €900 is paid."],
    ["deposit", "fr", "La caution est rendue sous 8 jours, moins 40 € de ménage."],
    ["deposit", "en", "The deposit is between €200 and €400."],
    ["deposit", "en", "The deposit used to be €300."],
    ["deposit", "en", "Key deposit: €20"],
    ["deposit", "de", "2,40 €/l, zzgl. Pfand"],
    ["setup_fee", "en", "Besides the setup fee, each seat costs $12 per month."],
    ["setup_fee", "en", "Plans cost $29 per month plus a setup fee."],
    ["setup_fee", "en", "Save $99 on the setup fee."],
    ["setup_fee", "en", "Before March, the setup fee was $99."],
    ["notice_weeks", "en", "You get 6 weeks of leave; the notice period follows the law."],
    ["trial_days", "en", "Cancel at least 2 days before your trial ends."],
    ["student_discount", "en", "20 % of students ask for a discount."],
    ["student_discount", "de", "20 % der Studierenden nutzen den Rabatt."],
    ["student_discount", "fr", "30 % des étudiants demandent une réduction."],
    ["course_hours", "en", "Our course team replies within 24 hours."],
    ["deposit_eur", "en", "A deposit of $200 is due at booking."],
    ["setup_fee_usd", "nl", "Installatiekosten: € 75"],
  ])("give no %s (%s) from the paragraph %s", (name, lang, text) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBeUndefined();
  });

  it.each<Answer>([
    ["warranty_years", "en", "How do I claim?", "With the receipt. Keep it for 10 years."],
    ["warranty_years", "en", "Is there a warranty?", "Yes. We have made kettles for 40 years."],
    ["deposit", "en", "When is the deposit due?", "14 days before arrival."],
    ["deposit", "de", "Wann kommt die Kaution zurück?", "Nach 14 Tagen, abzüglich 30 €."],
    ["return_days", "en", "How long does a refund take after a return?", "5 days."],
    ["return_days", "fr", "Quand suis-je remboursé après un retour ?", "Sous 10 jours."],
    ["trial_days", "en", "What happens after the trial?", "We keep your data for 30 days."],
    ["trial_days", "de", "Gibt es eine Testphase?", "Nein, Sie können 30 Tage lang kündigen."],
    ["delivery_days", "en", "Can I change the delivery address?", "Yes, until 2 days before."],
    ["student_discount", "en", "Is there a student discount?", "About 20% of students ask this."],
  ])("give no %s (%s) from the question %s with the answer %s", (name, lang, question, answer) => {
    expect(valueOf(name, lang, questionOf(question, answer))).toBeUndefined();
    expect(valueOf(name, lang, detailsOf(question, answer))).toBeUndefined();
  });

  it.each<Text>([
    ["setup_fee", "en", "Setup fee waived"],
    ["setup_fee", "en", "Setup fee waived (normally $99)"],
    ["setup_fee", "en", "The setup fee is waived if you pay $290 for a year."],
    ["setup_fee", "de", "Keine Einrichtungsgebühr, nur 29 € im Monat"],
    ["setup_fee", "fr", "Frais d’installation offerts (valeur 60 €)"],
    ["deposit", "en", "No deposit required. The week costs €450."],
    ["deposit", "nl", "Geen borg, u betaalt alleen € 450 huur."],
    ["deposit", "es", "Sin fianza: solo pagas 450 € de alquiler."],
  ])("give nothing or 0 as %s (%s) when it is waived: %s", (name, lang, text) => {
    expect([undefined, 0]).toContain(valueOf(name, lang, paragraphOf(text)));
    expect([undefined, 0]).toContain(valueOf(name, lang, listOf(text)));
  });

  it.each<readonly [...Text, number]>([
    ["warranty_years", "de", "24 Monate Garantie", 2],
    ["guarantee_months", "it", "Garanzia: 2 anni", 24],
    ["trial_days", "en", "Free trial: 2 weeks", 14],
    ["delivery_days", "es", "Entrega en 24 horas", 1],
    ["notice_weeks", "en", "Notice period: 3 months", 13],
    ["duration_hours", "en", "Duration: 90 minutes", 1.5],
  ])("give no %s (%s) in the unit of the text: %s", (name, lang, text, converted) => {
    expect([undefined, converted]).toContain(valueOf(name, lang, listOf(text)));
  });

  it("give no whole course_hours when the course takes 2.5 hours", () => {
    const main = paragraphOf("The course takes 2.5 hours.");
    expect(valueOf("course_hours", "en", main, INTEGER)).toBeUndefined();
  });

  it.each<Unit>([
    ["weight_kg", "de", "Bergkäse", "4,50 €", "Grundpreis 18 €/kg"],
    ["pieces", "en", "Tea lights", "£4.80", "£0.40 per piece"],
    ["price_per_kg", "en", "Mug", "£9.00", "Shipping abroad costs £2/kg."],
    ["price_per_kg", "es", "Queso", "5,00 €", "1,80 €/100 g"],
    ["price_per_piece", "en", "Socks", "£6.00", "£6.00 per pack"],
  ])("give no %s (%s) of %s at %s from %s", (name, lang, product, price, text) => {
    expect(valueOf(name, lang, productOf(product, price, text))).toBeUndefined();
  });
});

describe("amounts of trials and answers", () => {
  it.each<readonly [...Text, number]>([
    ["trial_days", "es", "Prueba gratuita de 15 días", 15],
    ["trial_days", "it", "Prova gratuita di 14 giorni", 14],
    ["trial_days", "en", "30-day trial", 30],
  ])("give %s (%s) from the list item %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, listOf(text))).toBe(expected);
  });

  it.each<readonly [...Answer, number]>([
    ["warranty_years", "en", "How long is the warranty?", "2 years from the purchase.", 2],
    ["warranty_years", "nl", "Hoe lang is de garantie?", "3 jaar.", 3],
  ])(
    "give %s (%s) from the question %s with the answer %s",
    (name, lang, question, answer, expected) => {
      expect(valueOf(name, lang, detailsOf(question, answer))).toBe(expected);
    },
  );
});

describe("amounts that the rules miss", () => {
  it.fails.each<readonly [...Text, number]>([
    ["warranty_years", "it", "Garanzia di 2 anni", 2],
    ["return_days", "nl", "30 dagen retourrecht", 30],
    ["return_days", "es", "Devolución gratuita en 30 días", 30],
    ["delivery_days", "it", "Consegna in 4 giorni", 4],
    ["trial_days", "fr", "Essai gratuit de 30 jours", 30],
    ["trial_days", "nl", "14 dagen gratis proberen", 14],
    ["charging_hours", "en", "Charging time: 2.5 hours", 2.5],
  ])("give %s (%s) from the list item %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, listOf(text))).toBe(expected);
  });

  it.fails.each<readonly [...Text, number]>([
    ["setup_fee", "de", "Einmalige Einrichtungsgebühr: 49 €", 49],
    ["deposit", "en", "A deposit of €200 is due at booking.", 200],
    ["deposit", "de", "Die Kaution beträgt 1.500 €.", 1500],
    ["deposit", "nl", "De borg bedraagt € 150.", 150],
    ["notice_weeks", "en", "Either side can end the contract with 4 weeks’ notice.", 4],
    ["notice_weeks", "de", "Die Kündigungsfrist beträgt 6 Wochen.", 6],
    ["notice_weeks", "nl", "Opzegtermijn: 4 weken", 4],
    ["return_days", "en", "You can return any item within 45 days.", 45],
    ["return_days", "en", "Returns are accepted within 14 days of delivery.", 14],
    ["course_hours", "en", "The course takes 2.5 hours.", 2.5],
  ])("give %s (%s) from the paragraph %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBe(expected);
  });

  it.fails.each<readonly [...Term, number]>([
    ["warranty_years", "nl", "Garantie", "5 jaar", 5],
    ["notice_weeks", "nl", "Opzegtermijn", "4 weken", 4],
    ["charging_hours", "de", "Ladezeit", "2,5 Stunden", 2.5],
  ])("give %s (%s) when the term %s has the text %s", (name, lang, term, text, expected) => {
    expect(valueOf(name, lang, termOf(term, text))).toBe(expected);
  });

  it.fails.each<readonly [...Answer, number]>([
    ["warranty_years", "es", "¿Cuánto dura la garantía?", "La garantía dura 3 años.", 3],
    ["warranty_years", "it", "Quanto dura la garanzia?", "La garanzia dura 2 anni.", 2],
    ["return_days", "en", "How long do I have to return an item?", "You have 30 days.", 30],
    ["trial_days", "en", "Is there a free trial?", "Yes, 14 days, no card needed.", 14],
    ["setup_fee", "en", "Is there a setup fee?", "Yes, $49, charged once.", 49],
    ["deposit", "de", "Wie hoch ist die Kaution?", "300 €, zahlbar bei Übergabe.", 300],
    ["delivery_days", "fr", "Quel est le délai de livraison ?", "3 jours ouvrés.", 3],
  ])(
    "give %s (%s) from the question %s with the answer %s",
    (name, lang, question, answer, expected) => {
      expect(valueOf(name, lang, detailsOf(question, answer))).toBe(expected);
    },
  );

  it.fails.each<readonly [...Unit, number]>([
    ["price_per_kg", "de", "Bergkäse", "4,50 €", "250 g (18,00 €/kg)", 18],
    ["price_per_kg", "fr", "Comté", "6,30 €", "300 g – 21 €/kg", 21],
    ["price_per_piece", "en", "Tea lights", "£4.80", "12 pieces, £0.40 per piece", 0.4],
    ["price_per_liter", "nl", "Olijfolie", "€ 9,00", "75 cl (€ 12,00 per liter)", 12],
    ["deposit", "de", "Limonade", "1,20 €", "2,40 €/l, zzgl. 0,15 € Pfand", 0.15],
  ])("give %s (%s) of %s at %s from %s", (name, lang, product, price, text, expected) => {
    expect(valueOf(name, lang, productOf(product, price, text))).toBe(expected);
  });
});

describe("labels without a single amount of the property", () => {
  it.each<Term>([
    ["warranty_years", "en", "Warranty", "2 to 5 years"],
    ["warranty_years", "fr", "Garantie", "2–5 ans"],
    ["warranty_years", "de", "Garantie", "2 bis 5 Jahre"],
    ["deposit", "en", "Deposit", "from €400"],
    ["deposit", "de", "Kaution", "ab 300 €"],
    ["deposit", "en", "Deposit", "refunded within 14 days"],
    ["deposit", "en", "Deposit", "none (€450 rent)"],
    ["deposit", "de", "Kaution", "3 Monatsmieten"],
    ["setup_fee", "en", "Setup fee", "waived until 31 May"],
    ["setup_fee", "en", "Setup fee", "waived (worth $99)"],
    ["setup_fee", "en", "Setup fee", "10% of the first invoice"],
    ["return_days", "en", "Returns", "refunded in 5 days"],
    ["notice_weeks", "en", "Notice", "4 to 6 weeks"],
    ["delivery_days", "en", "Delivery", "7 days a week"],
    ["delivery_days", "en", "Delivery", "2–4 days"],
    ["trial_days", "en", "Trial", "14 or 30 days"],
    ["trial_days", "en", "Trial", "none, refund within 30 days"],
    ["student_discount", "en", "Student discount", "up to 20%"],
    ["student_discount", "en", "Student discount", "used by 20% of buyers"],
  ])("give no %s (%s) when the term %s has the text %s", (name, lang, term, text) => {
    expect(valueOf(name, lang, termOf(term, text))).toBeUndefined();
  });

  it.fails.each<Term>([["return_days", "en", "Returns", "30 days, members 60 days"]])(
    "give no %s (%s) when the term %s has the text %s",
    (name, lang, term, text) => {
      expect(valueOf(name, lang, termOf(term, text))).toBeUndefined();
    },
  );

  it.each<Text>([
    ["deposit", "en", "Deposit: €200–€400"],
    ["deposit", "fr", "Caution : à partir de 300 €"],
    ["deposit", "en", "Deposit: 20% of the rent"],
    ["setup_fee", "en", "Setup fee: was $99"],
    ["setup_fee", "en", "Setup fee: $49 or $99"],
    ["setup_fee", "en", "Setup fee: <s>$99</s> waived"],
    ["setup_fee", "en", "Setup fee: on request, monthly fee $29"],
    ["setup_fee", "de", "Einrichtungsgebühr: entfällt (statt 99 €)"],
    ["delivery_days", "en", "Delivery: 365 days a year"],
    ["delivery_days", "fr", "Livraison 6 jours sur 7"],
    ["delivery_days", "nl", "Bezorging 7 dagen per week"],
    ["warranty_years", "en", "Warranty: up to 5 years"],
    ["setup_fee", "en", "Other vendors charge a setup fee of $99."],
    ["delivery_days", "en", "Returns are accepted within 14 days of delivery."],
    ["delivery_days", "nl", "Retourneren binnen 14 dagen na levering."],
    ["delivery_days", "en", "Invoices are payable within 14 days of delivery."],
    ["warranty_years", "en", "The Brisk Pro, our other kettle, has a 5-year warranty."],
    ["warranty_years", "en", "Most brands offer a 1-year warranty."],
  ])("give no %s (%s) from %s", (name, lang, text) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBeUndefined();
  });

  it.fails.each<Text>([
    ["deposit", "en", "Deposit: account 12345"],
    ["setup_fee", "en", "Setup fee (until 2023): $99"],
    ["warranty_years", "de", "Auf den Akku gibt es 2 Jahre Garantie."],
  ])("give no %s (%s) from %s", (name, lang, text) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBeUndefined();
  });

  it.each<readonly [...Text, number]>([
    ["return_days", "en", "Returns: 1,000 days", 1000],
    ["return_days", "de", "Rückgabe: 1.000 Tage", 1000],
    ["return_days", "fr", "Retours : 1 000 jours", 1000],
  ])("give the whole current number of %s (%s) from %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBe(expected);
  });

  it.fails.each<readonly [...Text, number]>([
    ["setup_fee", "en", "Setup fee: <del>$99</del> <ins>$49</ins>", 49],
  ])("give the whole current number of %s (%s) from %s", (name, lang, text, expected) => {
    expect(valueOf(name, lang, paragraphOf(text))).toBe(expected);
  });

  it.each<readonly [...Text, string]>([
    ["price", "en", `<span class="price">$9.00</span>`, "Price in EUR"],
    ["deposit", "en", "Deposit: $200", "Deposit in GBP"],
    ["deposit", "de", "Kaution: 500 €", "Deposit in Swiss francs"],
    ["setup_fee", "en", "Setup fee: $99", "Fee in euros"],
    ["setup_fee", "fr", "Frais d’installation : 60 €", "Fee in US dollars"],
  ])("give no %s (%s) from %s when the description says %s", (name, lang, text, description) => {
    expect(valueOf(name, lang, paragraphOf(text), { type: "number", description })).toBeUndefined();
  });
});
