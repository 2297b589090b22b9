// Reads the selected one of several choices: radio buttons, swatches, toggles, options.
import { isText } from "domhandler";
import { foldSpace } from "../../../html/parse/tree.ts";
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";

export type Choice = { readonly node: PageNode; readonly text: string };

/**
 * Returns the selected choice of a node that holds several, "open" if none or more than one is
 * selected, undefined for a node without choices.
 */
export function readChoice(model: PageModel, node: PageNode): Choice | "open" | undefined {
  const below = model.below(node);
  const choices = below.filter((each) => isChoice(each));
  if (choices.length < 2) return undefined;
  const [chosen, ...others] = choices.filter((each) => isSelected(each));
  if (chosen === undefined || others.length > 0) return "open";
  const labeled = chosen.element.name === "input" ? findLabel(model, below, chosen) : chosen;
  if (labeled === undefined) return "open";
  const text = readFirstWords(model, labeled);
  return text === "" ? "open" : { node: labeled, text };
}

function isChoice({ element: { name, attribs } }: PageNode): boolean {
  if (name === "input") return attribs["type"] === "radio";
  const role = attribs["role"];
  return role === "radio" || role === "option" || (name === "button" && "aria-pressed" in attribs);
}

const isSelected = ({ element: { attribs } }: PageNode): boolean =>
  attribs["checked"] !== undefined ||
  ["aria-checked", "aria-selected", "aria-pressed"].some((name) => attribs[name] === "true");

function findLabel(
  model: PageModel,
  below: readonly PageNode[],
  input: PageNode,
): PageNode | undefined {
  const { id } = input.element.attribs;
  return below.find(
    (node) =>
      node.element.name === "label" &&
      (model.contains(node, input) || (id !== undefined && node.element.attribs["for"] === id)),
  );
}

/** The text before the first part of a choice, such as a surcharge, or its first part. */
export function readFirstWords(model: PageModel, node: PageNode): string {
  const own = node.element.children
    .filter((child) => isText(child))
    .map(({ data }) => foldSpace(data).trim())
    .find((text) => text !== "");
  if (own !== undefined) return own;
  const parts = model.children(node).filter((child) => !isHidden(child) && child.to > child.from);
  const [first] = parts;
  if (first !== undefined)
    return parts.length > 1 ? readFirstWords(model, first) : model.lineOf(first);
  return model.lineOf(node) || (node.element.attribs["aria-label"] ?? "").trim();
}

/** Texts of controls before a choice is made. */
const PROMPT = new RegExp(
  `^\\P{L}*(?:${[
    "please (?:choose|select|pick)",
    "(?:choose|select|pick) (?:an?|one|your)",
    "bitte (?:aus)?wählen",
    "(?:veuillez )?(?:choisir|choisissez|sélectionner|sélectionnez)",
    "(?:por favor )?(?:elige|elija|elegir|selecciona|seleccione|seleccionar)",
    "(?:scegli|scegliere|seleziona|selezionare)",
    "(?:escolha|escolher|selecione|selecionar)",
    "(?:kies|selecteer)",
    "(?:proszę wybrać|wybierz)",
    "выберите",
  ].join(
    "|",
  )})(?!\\p{L})|^(?:choose|select|pick|wählen|auswählen|choisir|elegir|seleccionar|scegli|kies|wybierz)\\P{L}*$|^请选择|(?:選択して|お選び)ください|선택(?:해 ?주세요|하세요)`,
  "iu",
);
const MAX_PROMPT = 60;

/** True for the placeholder of a choice, such as "Select a size": it is no value. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= MAX_PROMPT && PROMPT.test(text);
