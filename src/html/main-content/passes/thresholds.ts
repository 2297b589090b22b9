// The thresholds of the ten steps after the model (choose-blocks.ts), each with its reason. Shares are
// of 1, sizes in words (half the characters in scripts without spaces), distances in blocks.
import type { MaxDistance } from "./is-above-text.ts";

// Step 1. Join: blocks at one place of similar cards (join-groups.ts)

/** Weight of the mean of the blocks at the same place in the other cards. */
export const CARD_MEAN_WEIGHT = 0.7;
/** Maximum distance of a block to the list item that makes it one of many. */
export const MAX_ITEM_DISTANCE = 3;
/** Minimum members of a group. */
export const MIN_CARD_MEMBERS = 3;
/** Maximum words that count for a member's weight. */
export const MAX_WEIGHT_WORDS = 50;
/** Limit of the log odds, so that a single sure block does not dominate. */
export const MAX_LOG_ODDS = 7;

// Step 2. Cut (choose-cut.ts)

/** Below 1: lost text is worse than extra text. */
export const DEFAULT_STRICTNESS = 0.75;
/** A page with at least this expected F1 is clear; its strictness is multiplied. */
export const MIN_CLEAR_F1 = 0.88;
/** On a clear page, extra text is certain to be extra. */
export const CLEAR_STRICTNESS_FACTOR = 2.4;
/**
 * A core consists of blocks of which the model is sure and that are a large share of the expected
 * content. A page with a core is not a teaser list, so half-sure blocks are dropped, however many
 * there are.
 */
export const CORE = { probability: 0.9, words: 100, share: 0.35, leastCut: 0.6 };
/** Blocks above this probability always stay. */
export const MAX_CUT = 0.7;

// Step 2. Cut of unclear pages, and sure kinds (choose-blocks.ts)

/**
 * Below this confidence the larger selection is safer: strictness is multiplied. Out of fold, on
 * such pages recall rises from .63 to .70 and F1 from .467 to .475.
 */
export const MIN_SURE_CONFIDENCE = 0.6;
export const UNSURE_STRICTNESS_FACTOR = 1 / 3;

// Step 3. Repeats (drop-repeated.ts)

/** Texts shorter than this, in characters, may repeat. */
export const MIN_REPEATED = 25;
/** Minimum share of repeats among an element's kept words for it to be a copy. */
export const MIN_COPIED_SHARE = 0.8;
/** Ancestors to check above a block. */
export const MAX_REPEAT_LEVELS = 8;

// Step 4. Gaps (fill-gaps.ts)

/** Minimum probability to fill in a listing or a table, and minimum fraction of the cut. */
export const MIN_GAP_PROBABILITY = 0.12;
export const MIN_GAP_CUT_FRACTION = 0.25;
/** Minimum kept words of the container, and their share of all its words. */
export const MIN_GAP_KEPT_WORDS = 15;
export const MIN_GAP_KEPT_SHARE = 0.3;
/** Shorter listings, in words, are not filled in. */
export const MIN_GAP_WORDS = 3;
/** Containers to check above a block. */
export const MAX_GAP_LEVELS = 12;

// Step 4. Insets (keep-insets.ts)

/** Ancestors to check for the class of a formula. */
export const MAX_FORMULA_LEVELS = 10;
/** Fractions of the cut above which an inset stays: between kept texts, and after the last one. */
export const MIN_INSET_FRACTION = 0.05;
export const MIN_LAST_INSET_FRACTION = 0.4;
/** Ancestors to check for a term or a definition. */
export const MAX_TERM_LEVELS = 4;

// Step 5. Comments of threads (keep-comments.ts)

/**
 * Maximum distance of a comment's text from the element named so, minimum words, and maximum share
 * of links.
 */
export const MAX_COMMENT_DISTANCE = 3;
export const MIN_COMMENT_WORDS = 8;
export const MAX_COMMENT_LINK_SHARE = 0.5;
/** Minimum fraction of the cut. */
export const MIN_COMMENT_CUT_FRACTION = 0.7;

// Step 5. Authors and times of posts (keep-post-authors.ts)

/** Maximum words of an author or a time. */
export const MAX_NAME_WORDS = 5;
export const MAX_TIME_WORDS = 10;
/** Ancestors to check: for a mark on a block, and for the surrounding post. */
export const MAX_MARK_LEVELS = 4;
export const MAX_POST_LEVELS = 9;
/** Minimum kept words of an element to be a post. */
export const MIN_POST_WORDS = 4;

// Step 6. Small parts (keep-parts.ts, keep-lists.ts)

/** Ancestors to check: for a label above a block, and for a link around a text. */
export const MAX_PART_LEVELS = 4;
/** Maximum words of the line that names the source of a quotation. */
export const MAX_SOURCE_WORDS = 25;
/** Maximum words of a note. Longer ones are separate sections. */
export const MAX_NOTE_WORDS = 200;

/** Minimum mean probability of a list that kept text introduces. Less likely ones are menus. */
export const MIN_INTRODUCED_PROBABILITY = 0.15;
/** Minimum mean probability of a list between kept texts, as a fraction of the cut. */
export const MIN_LIST_CUT_FRACTION = 0.7;

// Step 6. Heads of items (keep-item-heads.ts)

/** Maximum blocks of a head above the item's text, and maximum words of each. */
export const MAX_HEAD_BLOCKS = 3;
export const MAX_HEAD_WORDS = 12;
/** Minimum mean probability of a head, as a fraction of the cut. */
export const MIN_HEAD_CUT_FRACTION = 0.5;
/** Minimum share of kept words of an item. */
export const MIN_ITEM_KEPT = 0.4;

// Step 7. Pointers (drop-related-links.ts)

/** Longer lines, in words, have their own content. The words above a link list are fewer. */
export const MAX_POINTER_WORDS = 30;
export const MAX_LABEL_WORDS = 8;
/** Maximum words of an appeal without a link. */
export const MAX_APPEAL_WORDS = 12;
/** Maximum words of a paragraph of pointer lines, and its minimum share of link characters. */
export const MAX_LINES_WORDS = 90;
export const MIN_LEAD_LINES_SHARE = 0.6;
/** Minimum share of link characters for a pointer, and for a line that is only links. */
export const MIN_LINKED = 0.4;
export const MIN_LINK_ONLY = 0.85;
/** Minimum words of the paragraph that such a line interrupts. */
export const MIN_PARAGRAPH_WORDS = 15;
/** Number of blocks before and after in which to look for paragraphs. */
export const MAX_PARAGRAPH_DISTANCE = 3;

// Step 8. Headings (choose-headings.ts)

/**
 * Fractions of the cut above which a heading stays above kept text: the main heading, and others.
 */
export const MIN_TITLE_FRACTION = 0.3;
/**
 * A strict cut means that the page is clear, not that headings or captions inside its text are
 * doubtful.
 */
export const MIN_HEADING_FRACTION_STRICT = 0.7;
/** Maximum distance between a title and its text. */
export const MAX_BYLINE_DISTANCE: MaxDistance = { blocks: 8, words: 60 };
/** Maximum distance between a chapter title and its text. */
export const MAX_CONTENTS_DISTANCE: MaxDistance = { blocks: 120, words: 600 };
/** Minimum share of a heading's words that occur in the page title. Short words are ignored. */
export const MIN_TITLE_WORD_SHARE = 0.5;
/** Word count of a section number such as "8.15.". */
export const MAX_NUMBER_WORDS = 2;
/** The same for headings other than the page's title. */
export const MIN_HEADING_FRACTION = 0.5;
/** Minimum probability of a heading without text below. */
export const MIN_SURE_HEADING_PROBABILITY = 0.9;
/** Minimum words of a heading with a full stop that is treated as the lead of an article. */
export const MIN_LEAD_WORDS = 12;

// Step 8. The page's title (keep-title.ts)

/** Lowest heading level to check, and maximum words. */
export const MAX_TITLE_LEVEL = 3;
export const MAX_TITLE_WORDS = 40;
/** Maximum distance between a title and its text: votes, dates, authors and buttons. */
export const MAX_TITLE_DISTANCE: MaxDistance = { blocks: 60, words: 150 };
/** Ancestors to check for a heading, and maximum lines of one. */
export const MAX_HEADING_LEVELS = 3;
export const MAX_HEADING_LINES = 3;
/** Minimum letters of a heading at the start of the title, and of one anywhere in it. */
export const MIN_TITLE_START = 4;
export const MIN_TITLE_INSIDE = 20;

// Step 9. Other articles (drop-other-articles.ts)

/**
 * Minimum words of running text in an article. Shorter ones are teasers, which the model
 * recognizes.
 */
export const MIN_OTHER_ARTICLE_PROSE = 80;
/** Ancestors to check for an address, from the article upwards. */
export const MAX_OTHER_ARTICLE_LEVELS = 3;
/** An article's heading is one of its first blocks. */
export const MAX_HEADING_INDEX = 6;

// Step 9. What follows an article (drop-after-article.ts)

/** Pages of which the model is surer have nothing to drop. */
export const MAX_ARTICLE_CONFIDENCE = 0.95;
/** Minimum probability of an article; less in scripts that the model has hardly seen. */
export const MIN_ARTICLE_PROBABILITY = 0.6;
export const MIN_FOREIGN_ARTICLE_PROBABILITY = 0.7;
/** Minimum size of the article, and share of it that was kept. */
export const MIN_ARTICLE_SIZE = 150;
export const MIN_ARTICLE_KEPT = 0.8;
/** Everything that was kept is at least this many times as long. */
export const MIN_ARTICLE_RATIO = 1.5;
/** Minimum drop in probability after the article, and minimum share of the text that follows it. */
export const MIN_PROBABILITY_DROP = 0.15;
export const MIN_AFTER_SHARE = 0.5;
/** Readability's rules for siblings: share of the top score; length and links of a paragraph. */
export const MIN_SIBLING_SCORE_SHARE = 0.2;
export const MIN_SIBLING_PARAGRAPH = { characters: 80, linkShare: 0.25 };
/** Maximum characters read to detect the script. */
export const MAX_SCRIPT_SAMPLE = 2_000;

// Step 9. Parts that are no content (page-parts.ts)

/** Maximum words of a form that asks for an address, and of the box around it. */
export const MAX_FORM_WORDS = 50;
export const MAX_BOX_WORDS = 60;
/**
 * Maximum words of a form without a purpose in its text, and of the lines above it that name one.
 */
export const MAX_BARE_FORM_WORDS = 8;
export const MAX_INTRO_BLOCKS = 3;
/** Maximum wrappers to climb from a form or a button. */
export const MAX_PAGE_PART_LEVELS = 4;
/** Longer notices, in words, are texts about cookies. */
export const MAX_CONSENT_WORDS = 120;
/** Maximum words of a link that operates the page, and its minimum share of link characters. */
export const MAX_ACTION_WORDS = 8;
export const MIN_ACTION_LINKED = 0.85;
/** Maximum words of a sentence of agreement. */
export const MAX_AGREEMENT_WORDS = 45;
/** Maximum elements beside a label in which to look for its check box. */
export const MAX_LABEL_SIBLINGS = 8;
/** Nodes to look through for the purpose of a form, so that the cost stays linear. */
export const MAX_NODES = 400;
/** Maximum words of a heading that announces other items. */
export const MAX_HEADING_WORDS = 12;
/** Minimum share of link characters below a heading that announces other items. */
export const MIN_LINKED_SHARE = 0.4;
/** Ancestors to check for the label around a check box. */
export const MAX_LABEL_LEVELS = 3;
/** Ancestors to check for the link around a text. */
export const MAX_LINK_LEVELS = 6;

// Step 10. Region of the main item (settle-region.ts)

/** Maximum words of a region that is kept whole. */
export const MAX_WHOLE_WORDS = 250;
/** Maximum words of a region outside which only running text is kept. */
export const MAX_ALONE_WORDS = 250;
/** Minimum mean probability of a part to be kept. */
export const MIN_PART_PROBABILITY = 0.85;
/** Running text outside the region: minimum words and probability. */
export const MIN_PROSE_WORDS = 20;
export const MIN_PROSE_PROBABILITY = 0.5;
/** Minimum share of the kept words that the region must hold to be trusted. */
export const MIN_REGION_SHARE = 0.5;
/** The same for pages that mark their main element. */
export const MIN_MARKED_REGION_SHARE = 0.3;
/** Minimum probability of the text by which a region without title is found. */
export const MIN_TEXT_PROBABILITY = 0.7;
/** Minimum kept share of a region that is kept whole, and minimum probability of its blocks. */
export const MIN_REGION_KEPT = 0.4;
export const MIN_BLOCK_PROBABILITY = 0.06;
/** The same threshold for links, which are often menus. */
export const MIN_LINK_PROBABILITY = 0.2;
/**
 * Minimum share of a line's words that are in the page title, for a title that is not a heading.
 */
export const MIN_TITLE_SHARE = 0.6;
/** Minimum share of link characters and minimum links of a menu. */
export const MIN_MENU_LINK_SHARE = 0.7;
export const MIN_LINKS = 3;
/** Ancestors of a button to check for a group of choices. */
export const MAX_GROUP_LEVELS = 3;

// Step 10. New text (keep-appeared.ts)

/** Minimum share of new characters in a block. */
export const MIN_NEW_SHARE = 0.5;

// Step 10. Price of a product (keep-price.ts)

/** Maximum distance of a price below the title, and maximum words of its line. */
export const MAX_PRICE_DISTANCE: MaxDistance = { blocks: 12, words: 80 };
export const MAX_PRICE_WORDS = 8;
/** Minimum share of a line's characters in amounts of money. */
export const MIN_PRICE_SHARE = 0.5;
