/**
 * The "billion laughs": entities, each of which is ten times the one before; `&l12;` has a
 * trillion.
 */
export const LAUGHS = `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join("")}]>`;
