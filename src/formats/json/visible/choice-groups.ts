// Groups of choices with their label: sizes, colors, plans. Form: a fieldset, a radio group, a
// `select`, or buttons below a short label.
import { foldSpace } from "../../../html/parse/tree.ts";
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { isPlaceholder, readFirstWords } from "./choices.ts";

type ChoiceItem = {
  readonly node: PageNode;
  readonly text: string;
  /** False for a choice that cannot be made, such as a sold-out size. */
  readonly isOpen: boolean;
  readonly isSelected: boolean;
};
export type ChoiceGroup = {
  /** "Size", without the selected choice behind it. */
  readonly label: string;
  readonly node: PageNode;
  readonly items: readonly ChoiceItem[];
};

const MAX_LABEL = 60;
const MAX_CHOICE = 60;
const MAX_CHOICES = 200;
const GROUP_ROLES: ReadonlySet<string> = new Set(["radiogroup", "listbox", "group"]);

const groups = new WeakMap<VisibleScope, readonly ChoiceGroup[]>();

export function listChoiceGroups(scope: VisibleScope): readonly ChoiceGroup[] {
  let known = groups.get(scope);
  if (known === undefined) {
    known = scope.roots
      .flatMap((root) => scope.model.below(root))
      .flatMap((node) => readGroup(scope, node));
    groups.set(scope, known);
  }
  return known;
}

function readGroup(scope: VisibleScope, node: PageNode): ChoiceGroup[] {
  const { model } = scope;
  const { name, attribs } = node.element;
  if (isHidden(node) || !scope.has(node)) return [];
  if (name === "select")
    return toGroup(findSelectLabel(model, node), node, listOptions(model, node));
  if (name === "fieldset") {
    const legend = model.children(node).find(({ element }) => element.name === "legend");
    const label = legend === undefined ? attribs["aria-label"] : model.lineOf(legend);
    return toGroup(label, node, listButtons(model, node, legend));
  }
  if (GROUP_ROLES.has(attribs["role"] ?? "")) {
    const label = findSpokenLabel(model, node) ?? findTextBefore(model, node);
    return toGroup(label, node, listButtons(model, node));
  }
  return isInNamedGroup(model, node) ? [] : readLabeledButtons(model, node);
}

/** A short text, then a node of buttons, labels with radio buttons or swatches. */
function readLabeledButtons(model: PageModel, node: PageNode): ChoiceGroup[] {
  if (node.element.name === "ul" || node.element.name === "ol") {
    const items = listButtons(model, node);
    return items.length < 2 ? [] : toGroup(findTextBefore(model, node), node, items);
  }
  const children = model
    .children(node)
    .filter((child) => child.to - child.from > 0 || model.below(child).length > 1);
  if (children.length !== 2) return [];
  const [label, choices] = children as [PageNode, PageNode];
  if (isHidden(label) || label.to === label.from || label.to - label.from > MAX_LABEL) return [];
  if (model.below(label).some((each) => toChoice(model, each) !== undefined)) return [];
  return toGroup(model.lineOf(label), choices, listButtons(model, choices));
}

function toGroup(
  label: string | undefined,
  node: PageNode,
  items: readonly ChoiceItem[],
): ChoiceGroup[] {
  const name = (label ?? "").split(/\s*[:：]/u, 1)[0]?.trim() ?? "";
  const texts = new Set(items.map(({ text }) => text));
  const isGroup =
    name !== "" &&
    name.length <= MAX_LABEL &&
    items.length >= 2 &&
    items.length <= MAX_CHOICES &&
    texts.size === items.length;
  return isGroup ? [{ label: name, node, items }] : [];
}

const isInNamedGroup = (model: PageModel, node: PageNode): boolean => {
  const parent = model.parent(node);
  return (
    node.element.name === "label" ||
    parent?.element.name === "fieldset" ||
    GROUP_ROLES.has(parent?.element.attribs["role"] ?? "")
  );
};

function listOptions(model: PageModel, select: PageNode): ChoiceItem[] {
  return model.below(select).flatMap((node): ChoiceItem[] => {
    const { name, attribs, children } = node.element;
    const [child] = children;
    if (name !== "option" || attribs["value"] === "" || child === undefined || !("data" in child))
      return [];
    const text = foldSpace(child.data).trim();
    return text === "" || isPlaceholder(text)
      ? []
      : [
          {
            node,
            text,
            isOpen: attribs["disabled"] === undefined,
            isSelected: attribs["selected"] !== undefined,
          },
        ];
  });
}

/** The outermost choices in a node; none if it has other texts beside them. */
function listButtons(model: PageModel, group: PageNode, legend?: PageNode): ChoiceItem[] {
  const items: ChoiceItem[] = [];
  for (let at = group.index + 1; at < group.end;) {
    const node = model.nodes[at] as PageNode;
    if (node === legend) {
      at = node.end;
      continue;
    }
    const item = toChoice(model, node);
    if (item !== undefined) items.push(item);
    at = item === undefined ? at + 1 : node.end;
  }
  const listed = items.reduce((sum, { node: { from, to } }) => sum + to - from, 0);
  const all = group.to - group.from - (legend === undefined ? 0 : legend.to - legend.from);
  return all - listed <= items.length + MAX_BESIDE ? items : [];
}

/** Characters beside the choices of a group, such as "Size guide". */
const MAX_BESIDE = 30;

function toChoice(model: PageModel, node: PageNode): ChoiceItem | undefined {
  const { name, attribs } = node.element;
  const role = attribs["role"] ?? "";
  const input = name === "label" ? findInput(model, node) : undefined;
  const type = input?.element.attribs["type"];
  const isOfLabel = name === "label" && (type === "radio" || attribs["for"] !== undefined);
  if (!isOfLabel && name !== "button" && role !== "radio" && role !== "option") return undefined;
  if (isOfLabel && type === "checkbox") return undefined;
  const text = readChoiceText(model, node);
  if (text === "" || text.length > MAX_CHOICE || !/[\p{L}\d]/u.test(text)) return undefined;
  const states = [attribs, input?.element.attribs ?? {}];
  const isClosed = states.some(
    (state) => state["disabled"] !== undefined || state["aria-disabled"] === "true",
  );
  const isSelected = states.some(
    (state) =>
      state["checked"] !== undefined ||
      ["aria-checked", "aria-pressed", "aria-selected"].some((key) => state[key] === "true"),
  );
  return { node, text, isOpen: !isClosed, isSelected };
}

/** The control inside a label, or beside it by its id. */
function findInput(model: PageModel, label: PageNode): PageNode | undefined {
  const inside = model.below(label).find(({ element }) => element.name === "input");
  const id = label.element.attribs["for"];
  if (inside !== undefined || id === undefined) return inside;
  const target = readIndex(model).ids.get(id);
  return target?.element.name === "input" ? target : undefined;
}

/** The first visible text of a choice, or its name for assistive technology. */
function readChoiceText(model: PageModel, node: PageNode): string {
  const written = readFirstWords(model, node);
  if (written !== "") return written;
  const { attribs } = node.element;
  const named =
    attribs["aria-label"] ??
    attribs["title"] ??
    attribs["data-value"] ??
    model
      .below(node)
      .map(({ element }) => element.attribs["alt"])
      .find((alt) => alt !== undefined);
  return foldSpace(named ?? node.spoken).trim();
}

function findSelectLabel(model: PageModel, select: PageNode): string | undefined {
  const { id, "aria-label": spoken } = select.element.attribs;
  const parent = model.parent(select);
  const label =
    parent?.element.name === "label"
      ? parent
      : id === undefined
        ? undefined
        : readIndex(model).labels.get(id);
  if (label !== undefined && label.to > label.from) return model.lineOf(label);
  return spoken ?? findTextBefore(model, select);
}

function findSpokenLabel(model: PageModel, node: PageNode): string | undefined {
  const { "aria-label": label, "aria-labelledby": by } = node.element.attribs;
  if (label !== undefined) return label;
  const named = readIndex(model).ids.get(by?.split(/\s/, 1)[0] ?? "");
  return named === undefined ? undefined : model.lineOf(named);
}

type ElementIndex = {
  readonly ids: ReadonlyMap<string, PageNode>;
  /** Labels by the id of their control. */
  readonly labels: ReadonlyMap<string, PageNode>;
};

const indexes = new WeakMap<PageModel, ElementIndex>();

function readIndex(model: PageModel): ElementIndex {
  let index = indexes.get(model);
  if (index === undefined) {
    const ids = new Map<string, PageNode>();
    const labels = new Map<string, PageNode>();
    for (const node of model.nodes) {
      const { id, for: target } = node.element.attribs;
      if (id !== undefined && !ids.has(id)) ids.set(id, node);
      if (node.element.name === "label" && target !== undefined && !labels.has(target))
        labels.set(target, node);
    }
    index = { ids, labels };
    indexes.set(model, index);
  }
  return index;
}

/** The text of the sibling before a node. */
function findTextBefore(model: PageModel, node: PageNode): string | undefined {
  const before = model.previous(node);
  if (before === undefined || before.to - before.from > MAX_LABEL) return undefined;
  // A link such as "Size guide" may stand beside the label.
  const [label] = model.pieces(before);
  return label === undefined ? undefined : model.lineOf(label);
}
