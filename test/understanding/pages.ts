// Pages for structured data tests, each in a different notation. The expectations are in the tests.

/** JSON-LD in a graph, with an offer, a brand and a rating. */
export const PRODUCT = `<!doctype html><html lang="en"><head><title>Trail Lamp 300 | Northlight</title>
<meta property="og:site_name" content="Northlight"><meta property="og:title" content="Trail Lamp 300">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[
{"@type":"WebSite","name":"Northlight","url":"https://northlight.example/"},
{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Lamps"}]},
{"@type":"Product","name":"Trail Lamp 300","sku":"NL-300","gtin13":"4006381333931","brand":{"@type":"Brand","name":"Northlight"},
"description":"A head lamp for long nights.&nbsp;Water-proof.","image":["/img/lamp.jpg","/img/lamp-2.jpg"],
"weight":{"@type":"QuantitativeValue","value":"85","unitCode":"GRM"},
"additionalProperty":[{"@type":"PropertyValue","name":"Light output","value":"300 lm"},{"@type":"PropertyValue","name":"Battery life","value":"40 h"}],
"aggregateRating":{"@type":"AggregateRating","ratingValue":"4.6","reviewCount":"1,284"},
"offers":{"@type":"Offer","price":"49.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"},
"review":[{"@type":"Review","author":{"@type":"Person","name":"Mia"},"reviewRating":{"@type":"Rating","ratingValue":"5"},"reviewBody":"Bright."},
{"@type":"Review","author":{"@type":"Person","name":"Jon"},"reviewRating":{"@type":"Rating","ratingValue":"3"},"reviewBody":"Heavy."}]}]}
</script></head><body><h1>Trail Lamp 300</h1><p>A head lamp for long nights.</p></body></html>`;

/** Visible content only: labels, a definition list, a table. */
export const PLAIN_PRODUCT = `<!doctype html><html lang="de"><head><title>Wanderstuhl Kolo</title></head><body><main>
<h1>Wanderstuhl Kolo</h1><p class="price">1.249,00 €</p><p>Lieferbar in drei Tagen.</p>
<dl><dt>Hersteller</dt><dd>Holzwerk Süd</dd><dt>Artikelnummer</dt><dd>HS-7781</dd><dt>Farbe</dt><dd>Eiche natur</dd></dl>
<table><tr><th>Gewicht</th><td>2,4 kg</td></tr><tr><th>Höhe</th><td>78 cm</td></tr></table>
<h2>Merkmale</h2><ul><li>faltbar</li><li>wetterfest</li><li>aus einem Stück</li></ul>
</main><footer><p>Hersteller: Webagentur Nord</p></footer></body></html>`;

/** Microdata with a nested place. */
export const EVENT = `<!doctype html><html lang="en"><head><title>Harbour Nights</title></head><body>
<article itemscope itemtype="https://schema.org/MusicEvent"><h1 itemprop="name">Harbour Nights</h1>
<time itemprop="startDate" datetime="2027-06-04T20:00:00+02:00">4 June 2027, 8 pm</time>
<time itemprop="endDate" datetime="2027-06-04T23:00:00+02:00">11 pm</time>
<div itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">Old Pier</span>
<div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">Quay 7</span>,
<span itemprop="addressLocality">Kiel</span> <span itemprop="addressCountry">DE</span></div></div>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="18.5">18.50</span>
<meta itemprop="priceCurrency" content="EUR"></div>
<p>With <span itemprop="performer" itemscope itemtype="https://schema.org/MusicGroup"><span itemprop="name">The Moorings</span></span> and
<span itemprop="performer" itemscope itemtype="https://schema.org/MusicGroup"><span itemprop="name">Salt &amp; Rope</span></span>.</p>
</article></body></html>`;

/** Framework state only. */
export const JOB = `<!doctype html><html lang="en"><head><title>Careers</title></head><body><div id="__next"></div>
<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"locale":"en","job":{"__typename":"Job","jobTitle":"Marine Engineer",
"company":{"name":"Northlight Ferries"},"location":{"city":"Bergen","country":"Norway"},"employmentType":"FULL_TIME","remote":false,
"salary":{"currency":"NOK","min":620000,"max":740000},"datePosted":"2027-02-01","validThrough":"2027-03-15",
"responsibilities":["Keep engines running","Train the crew"]}}},"page":"/jobs/[id]"}</script></body></html>`;

/** RDFa and a definition list. */
export const PERSON = `<!doctype html><html lang="en"><head><title>Ada Marlow – Staff</title></head><body vocab="https://schema.org/" typeof="Person">
<h1 property="name">Ada Marlow</h1><p property="jobTitle">Professor of Hydrology</p>
<p>Works at <span property="affiliation" typeof="Organization"><span property="name">University of Bremen</span></span>.</p>
<dl><dt>Email</dt><dd><a property="email" href="mailto:ada@uni.example">ada@uni.example</a></dd><dt>Phone</dt><dd>+49 421 5550</dd>
<dt>Born</dt><dd>12 March 1971</dd></dl></body></html>`;

/** An article described by meta elements and its text. */
export const ARTICLE = `<!doctype html><html lang="en"><head><title>Tides rise in the north - The Daily Gull</title>
<meta property="og:title" content="Tides rise in the north"><meta property="og:site_name" content="The Daily Gull">
<meta property="og:image" content="https://gull.example/tides.jpg"><meta name="author" content="Petra Holm">
<meta property="article:published_time" content="2027-01-09T07:30:00Z"><meta property="article:section" content="Coast">
<meta name="keywords" content="tides, north sea, weather"><meta name="description" content="Levels were the highest in ten years."></head>
<body><article><h1>Tides rise in the north</h1><p class="byline">By Petra Holm</p>
<p>Water levels along the northern coast were the highest in ten years on Friday, the coast guard said. Two ferries stayed in port and a road was closed for several hours.</p>
<p>The coast guard expects the tides to fall again by Sunday. Water levels of this height are rare in January, when the wind mostly blows from the west.</p>
<p>Our bakery column returns next week.</p></article></body></html>`;

/** Cards and a table of rows. */
export const LISTING = `<!doctype html><html lang="en"><head><title>Lamps</title></head><body><main><h1>Lamps</h1>
<div class="grid">${[
  ["Trail Lamp 300", "49.90", "lamp-300"],
  ["Camp Lamp 150", "29.00", "lamp-150"],
  ["Cave Lamp 900", "1,119.00", "lamp-900"],
]
  .map(
    ([name, price, id]) =>
      `<div class="product-card"><a href="/p/${id}"><img src="/img/${id}.jpg" alt=""><h3>${name}</h3></a><span class="price">$${price}</span></div>`,
  )
  .join("\n")}</div>
<table><caption>Shops</caption><tr><th>City</th><th>Phone</th><th>Opens</th></tr>
<tr><td>Kiel</td><td>0431 12</td><td>9:00</td></tr><tr><td>Bergen</td><td>55 20</td><td>10:00</td></tr></table></main></body></html>`;
