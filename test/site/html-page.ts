/** Parts of an ordinary page; all but the body have defaults. */
export type PageParts = {
  readonly title: string;
  readonly body: string;
  readonly head?: string;
  readonly language?: string;
};

/** A small page with header, navigation, main part and footer around `body`. */
export function htmlPage({ title, body, head = "", language = "en" }: PageParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title} | Harbour Gazette</title>
${head}
</head>
<body>
<header class="site-header"><a href="/">Harbour Gazette</a>
<nav><ul><li><a href="/">Home</a></li><li><a href="/list">Archive</a></li><li><a href="/documentation">Handbook</a></li></ul></nav></header>
<main>
${body}
</main>
<footer><p>© Harbour Gazette, Quay Street 4. <a href="/login-wall">Subscribers</a> <a href="mailto:desk@gazette.example">Write to us</a></p></footer>
</body>
</html>
`;
}

export const PARAGRAPHS: readonly string[] = [
  "The old sea wall at Fenwick had stood for a hundred and twelve years when the January storm took eleven metres of it in one night. Nobody was hurt, but the fish market flooded to the height of the scales, and the ferry did not run for nine days.",
  "Engineers from the county measured the damage with a drone the next morning. Their report, forty pages long, says that the foundation had been hollowed out by eddies from the new marina, a risk that a survey had named in 2016 and that no budget had answered since.",
  "Repair began in April. Divers set 340 blocks of basalt, each weighing close to two tonnes, along a trench cut into the chalk. The blocks came by barge from a quarry in the north because the coast road could not carry them.",
  "“We are not rebuilding the wall of 1912,” said site manager Ilse Brandt. “That wall threw the waves back at the boats. This one is rough on purpose, it tires the water out before it reaches the quay.”",
  "The work is to end in October and will cost 4.3 million, a third of it paid by the state. Until then the fish market is held in the old ropewalk, every day but Monday, from five in the morning.",
];

export const ARTICLE = `<article>
<h1>Fenwick gets a wall that tires the sea</h1>
<p class="byline">By <a rel="author" href="/authors/marta-keene">Marta Keene</a> | <time datetime="2024-05-14T06:30:00+01:00">14 May 2024</time></p>
<p>${PARAGRAPHS[0] ?? ""}</p>
<p>${PARAGRAPHS[1] ?? ""}</p>
<h2>Basalt from the north</h2>
<p>${PARAGRAPHS[2] ?? ""}</p>
<figure><img src="/images/wall.png" alt="Divers lower a block of basalt" width="640" height="400"><figcaption>Each block is weighed before it is lowered.</figcaption></figure>
<blockquote><p>${PARAGRAPHS[3] ?? ""}</p></blockquote>
<p>${PARAGRAPHS[4] ?? ""}</p>
</article>`;
