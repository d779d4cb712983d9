"use strict";
// The page is whole without this: it draws the pictures, filters, and gives the data out.
(() => {
  const at = id => document.getElementById(id);

  async function unpack(id) {
    const bytes = Uint8Array.from(atob(at(id).textContent), c => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  // make makes an element; text is never markup.
  function make(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
    e.append(...children);
    return e;
  }

  const number = x => x === null || x === undefined ? "–" : Math.abs(x) >= 1000 || x === 0 ? Math.round(x).toString() : Number(x.toPrecision(3)).toString();
  const times = ns => ns === null || ns === undefined ? "–" : ns < 1e3 ? number(ns) + " ns" : ns < 1e6 ? number(ns / 1e3) + " µs" : ns < 1e9 ? number(ns / 1e6) + " ms" : number(ns / 1e9) + " s";
  const unitOf = ns => ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "µs"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  const percent = x => (100 * x).toFixed(x < 0.0995 ? 1 : 0) + " %";
  const brief = name => name.replace(/^Benchmark/, "");
  const variant = name => (/variant=([^/]*)/.exec(name) || [])[1] || brief(name);
  // Labels keep the end of what is long: it tells more of a name or a file.
  const end = s => s.length > 26 ? "…" + s.slice(-25) : s;

  // A drawing is no wider than there is room for at its size: made smaller, its words
  // cannot be read.
  const narrow = Math.max(300, Math.min(480, document.documentElement.clientWidth - 52));

  // A picture is a figure with a caption, a drawing, and its figures as a table.
  function picture(title, columns, rows, options) {
    const figure = make("figure", {}, make("figcaption", {}, title));
    if (options) {
      const svg = Plot.plot({ className: "plot", width: narrow, marginLeft: 60, ariaLabel: title, style: null, ...options });
      svg.setAttribute("role", "img");
      for (const g of svg.querySelectorAll("[aria-label]")) g.removeAttribute("aria-label"); // the table tells the parts
      figure.append(svg);
    }
    const head = make("tr", {}, ...columns.map(c => make("th", { scope: "col" }, c)));
    const body = rows.map(r => make("tr", {}, ...r.map((v, i) => make(i ? "td" : "th", i ? {} : { scope: "row" }, cut(String(v))))));
    figure.append(make("details", {}, make("summary", {}, "as a table"), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))));
    return figure;
  }

  const cut = s => s.length > 200 ? s.slice(0, 200) + "…" : s;
  const colours = { pays: "var(--pays)", loses: "var(--loses)", even: "var(--even)", "cannot say": "var(--open)" };
  // Of two states of the code, faster and slower are said.
  const changed = { pays: "faster", loses: "slower", even: "no difference" };
  const said = (doc, verdict) => doc.compared && changed[verdict] || verdict;
  const usable = (...xs) => xs.every(x => typeof x === "number" && isFinite(x) && x > 0);

  // A legend says what colours stand for: [colour, what], …
  function legend(entries) {
    return make("p", { class: "legend" }, ...entries.map(([colour, what]) => {
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = colour;
      return make("span", {}, swatch, cut(what));
    }));
  }

  // key gives a picture the legend of names in its scheme.
  function key(figure, names) {
    figure.querySelector("details").before(legend(names.map((n, i) => [d3.schemeObservable10[i % 10], n])));
    return figure;
  }

  // Ratios of all variants, with the band in which a difference counts for nothing.
  function forest({ doc, of }) {
    const rows = of.filter(c => c.kind === "variant" && usable(c.ratio, c.low));
    if (!rows.length) return null;
    const pkg = doc.packages.find(p => p.package === rows[0].package) || {};
    const band = 1 + (pkg.margin || 0);
    const noise = pkg.control && usable(pkg.control.low, pkg.control.high) ? [pkg.control] : [];
    const what = c => `${c.variant}, ${c.procs}`;
    const high = c => usable(c.high) ? c.high : c.ratio * c.ratio / c.low;
    return picture("Ratio to the base: right of 1 is faster", ["variant, processors", "ratio", "from", "to", "verdict"],
      rows.map(c => [what(c), number(c.ratio), number(c.low), number(c.high), said(doc, c.verdict)]), {
        height: 50 + 26 * rows.length, marginLeft: 170,
        x: { type: "log", grid: true, label: "times as fast as the base", ticks: 5, tickFormat: "~g" }, y: { label: null, domain: rows.map(what), tickFormat: end },
        marks: [
          Plot.rectX([0], { x1: 1 / band, x2: band, fill: "currentColor", fillOpacity: 0.07 }),
          Plot.rectX(noise, { x1: "low", x2: "high", fill: "currentColor", fillOpacity: 0.1 }),
          Plot.ruleX([1], { stroke: "currentColor" }),
          Plot.ruleY(rows, { y: what, x1: "low", x2: high, stroke: c => colours[c.verdict], strokeWidth: 2 }),
          Plot.dot(rows, { y: what, x: "ratio", r: 4, fill: c => colours[c.verdict] }),
        ],
      });
  }

  // Speedup over processors against one of them, with what work and span allow.
  function scaling({ doc, of }) {
    const rows = of.filter(c => c.kind === "scaling" && usable(c.ratio, c.low)).sort((a, b) => a.procs - b.procs);
    if (!rows.length) return null;
    const name = c => c.variant || brief(c.name);
    const names = [...new Set(rows.map(name))];
    const points = [...names.map(n => ({ name: n, procs: 1, ratio: 1, low: 1, high: 1 })),
      ...rows.map(c => ({ name: name(c), procs: c.procs, ratio: c.ratio, low: c.low, high: usable(c.high) ? c.high : c.ratio }))];
    const most = Math.max(...points.map(p => p.procs));
    const ceilings = of.filter(c => c.bound && usable(c.bound.parallelism) && c.bound.parallelism <= most);
    const laws = doc.laws.filter(l => rows.some(c => c.name === l.name && c.package === l.package) && l.curve.length)
      .flatMap(l => l.curve.filter(p => p.procs <= most && usable(p.speedup.value)).map(p => ({ name: l.name, procs: p.procs, ...p.speedup })));
    // What a model says of more processors, on from where it was measured.
    const foreseen = rows.filter(c => c.procs === Math.max(...rows.filter(r => r.name === c.name).map(r => r.procs))).flatMap(c => {
      const more = (doc.predicted || []).filter(p => p.name === c.name && p.package === c.package && p.procs > c.procs);
      return more.length ? [{ name: name(c), procs: c.procs, value: c.ratio, low: c.low, high: usable(c.high) ? c.high : c.ratio }, ...more.map(p => ({ ...p, name: name(c) }))] : [];
    });
    const figure = picture(foreseen.length ? "Speedup over processors; dashed: by a model" : "Speedup over processors", ["variant, processors", "speedup", "from", "to"],
      [...rows.map(c => [`${name(c)}, ${c.procs}`, number(c.ratio), number(c.low), number(c.high)]),
        ...foreseen.filter(p => p.package).map(p => [`${p.name}, ${p.procs}, by a model`, number(p.value), number(p.low), number(p.high)])], {
        height: 240, marginRight: 30, color: { scheme: "Observable10", domain: names },
        x: { label: "GOMAXPROCS", ticks: [...new Set([...points, ...foreseen].map(p => p.procs))], tickFormat: "d" }, y: { grid: true, label: "against itself at 1", zero: true },
        marks: [
          Plot.lineY([[1, 1], [most, most]], { x: "0", y: "1", stroke: "currentColor", strokeDasharray: "4 4" }),
          Plot.areaY(laws, { x: "procs", y1: "low", y2: "high", z: "name", fill: "currentColor", fillOpacity: 0.08 }),
          Plot.areaY(foreseen, { x: "procs", y1: "low", y2: "high", z: "name", fill: "name", fillOpacity: 0.12 }),
          Plot.line(foreseen, { x: "procs", y: "value", z: "name", stroke: "name", strokeDasharray: "3 3" }),
          Plot.ruleY(ceilings, { y: c => c.bound.parallelism, stroke: "var(--open)", strokeDasharray: "2 3" }),
          Plot.line(points, { x: "procs", y: "ratio", stroke: "name", strokeWidth: 2 }),
          Plot.ruleX(points, { x: "procs", y1: "low", y2: "high", stroke: "name", strokeWidth: 2 }),
          Plot.dot(points, { x: "procs", y: "ratio", fill: "name", r: 3 }),
        ],
      });
    return key(figure, names);
  }

  // Where processor time went, of a variant and its base.
  function sides({ evident: c }) {
    if (!c || !c.page || !(c.page.sides || []).length) return null;
    const side = s => `${variant(s.name)} at ${s.procs}`;
    const rows = c.page.sides.flatMap(s => Object.entries(s.byNs).filter(([, ns]) => ns > 0).map(([by, ns]) => ({ side: side(s), by, ns })));
    if (!rows.length) return null;
    const unit = Math.max(...c.page.sides.map(s => s.cpuNs)) || 1;
    const [div, label] = unitOf(unit);
    const order = d3.rollups(rows, v => d3.sum(v, r => r.ns), r => r.by).sort((a, b) => b[1] - a[1]).map(x => x[0]);
    return picture(`Where processor time goes: ${c.variant || brief(c.name)} at ${c.procs}`, ["of", "spent on", "per operation"],
      rows.map(r => [r.side, r.by, times(r.ns)]), {
        height: 60 + 34 * c.page.sides.length, marginLeft: 150, color: { domain: order, scheme: "Tableau10" },
        x: { grid: true, label: `processor time per operation, ${label}` }, y: { label: null, domain: c.page.sides.map(side), tickFormat: end },
        marks: [
          Plot.barX(rows, { x: r => r.ns / div, y: "side", fill: "by", order, title: r => `${r.by}: ${times(r.ns)}` }),
          Plot.textX(rows, Plot.stackX({ x: r => r.ns / div, y: "side", z: "by", order, text: r => r.ns > unit / 9 ? r.by : "", fill: "white" })),
          Plot.ruleX([0]),
        ],
      });
  }

  // speedup = cores / (overhead × inflation), each on one logarithmic axis.
  function identity({ of }) {
    const rows = of.filter(c => c.kind === "variant").flatMap(c => [["cores", c.cores], ["overhead", c.overhead], ["inflation", c.inflation]]
      .filter(([, x]) => x && usable(x.value)).map(([factor, x]) => ({ factor, who: `${c.variant} at ${c.procs}`, value: x.value, low: usable(x.low) ? x.low : x.value, high: usable(x.high) ? x.high : x.value })));
    if (!rows.length) return null;
    const figure = picture("Speedup = cores / (overhead × inflation)", ["of", "factor", "value", "from", "to"],
      rows.map(r => [r.who, r.factor, number(r.value), number(r.low), number(r.high)]), {
        height: 60 + 22 * rows.length, marginLeft: 80, marginRight: 160, x: { type: "log", grid: true, label: "factor", ticks: 5, tickFormat: "~g" }, y: { label: null, domain: ["cores", "overhead", "inflation"] }, fy: { label: null, tickFormat: end },
        marks: [
          Plot.ruleX([1], { stroke: "currentColor" }),
          Plot.barX(rows, { fy: "who", y: "factor", x1: 1, x2: "value", fill: "currentColor", fillOpacity: 0.35 }),
          Plot.ruleY(rows, { fy: "who", y: "factor", x1: "low", x2: "high", stroke: "currentColor" }),
        ],
      });
    figure.classList.toggle("tall", rows.length > 12);
    return figure;
  }

  // The samples of what a card compares at the most processors, in the order in which
  // they were taken: drift, and what others disturbed.
  function strips({ of, more }) {
    const c = of.filter(c => c.kind === "variant").sort((a, b) => b.procs - a.procs)[0] || of[0];
    if (!c) return null;
    const top = of.filter(x => x.kind === c.kind && x.procs === c.procs);
    const cells = new Set(top.flatMap(x => [`${x.name} ${x.procs}`, `${x.baseName} ${x.baseProcs}`]));
    const rows = (more.strips || []).filter(s => s.package === c.package && cells.has(`${s.name} ${s.procs}`));
    const points = rows.flatMap(s => s.points.filter(p => usable(p.ns)).map(p => ({ of: `${variant(s.name)}, ${s.procs}`, ...p })));
    if (!points.length) return null;
    const names = [...new Set(points.map(p => p.of))];
    const every = Math.max(1, ...rows.map(s => s.every || 1));
    const figure = picture(`Samples, round by round${every > 1 ? ", one of each " + every : ""}: crosses were dropped`, ["of", "samples", "dropped", "median"],
      names.map(n => { const p = points.filter(p => p.of === n); return [n, p.length, p.filter(p => p.dropped).length, times(d3.median(p.filter(p => !p.dropped), p => p.ns))]; }), {
        height: 240, color: { scheme: "Observable10", domain: names },
        x: { label: "round" }, y: { type: "log", grid: true, label: "time per operation", ticks: 5, tickFormat: times },
        marks: [
          Plot.dot(points.filter(p => !p.dropped), { x: "round", y: "ns", fill: "of", r: 2, fillOpacity: 0.7 }),
          Plot.dot(points.filter(p => p.dropped), { x: "round", y: "ns", stroke: "of", r: 3, symbol: "times" }),
        ],
      });
    return key(figure, names);
  }

  // What variants gain over sizes, on two logarithmic axes, and from where on they pay.
  function sizes(more) {
    const section = at("sizes"), room = section.querySelector(".plots");
    for (const s of more.sizes || []) {
      const points = s.curves.flatMap(c => c.points.filter(p => usable(p.size, p.ratio, p.low)).map(p => ({ variant: c.variant, ...p, high: usable(p.high) ? p.high : p.ratio })));
      if (!points.length) continue;
      const names = s.curves.map(c => c.variant);
      const from = s.curves.filter(c => c.from && usable(c.from.at.value)).map(c => ({ variant: c.variant, at: c.from.at.value }));
      room.append(key(picture(`${brief(s.group)} at ${s.procs}: ratio to ${s.base} over ${s.param}`, [`variant, ${s.param}`, "ratio", "from", "to"],
        points.map(p => [`${p.variant}, ${p.size}`, number(p.ratio), number(p.low), number(p.high)]), {
          height: 260, color: { scheme: "Observable10", domain: names },
          x: { type: "log", label: s.param, tickFormat: "~s", ticks: 5 }, y: { type: "log", grid: true, label: "times as fast", ticks: 5, tickFormat: "~g" },
          marks: [
            Plot.ruleY([1], { stroke: "currentColor" }),
            Plot.ruleX(from, { x: "at", stroke: "variant", strokeDasharray: "4 3" }),
            Plot.ruleX(points, { x: "size", y1: "low", y2: "high", stroke: "variant" }),
            Plot.line(points, { x: "size", y: "ratio", stroke: "variant" }),
            Plot.dot(points, { x: "size", y: "ratio", fill: "variant", r: 3 }),
          ],
        }), names));
    }
    section.hidden = !room.firstChild;
  }

  const wide = room => Math.max(320, Math.min(room.clientWidth || 980, 1400));

  // What processors did in a piece of the trace, and who ran alone.
  function timeline({ evident: c, room }) {
    const t = c && c.page && c.page.trace && c.page.trace.timeline;
    if (!t || !t.who.length || !usable(t.slotNs)) return null;
    const [div, unit] = unitOf(t.slotNs * t.who.length);
    const alone = d3.rollups(t.who, v => v.length, i => i).filter(([i]) => i >= 0).sort((a, b) => b[1] - a[1]).map(([i]) => i);
    const shown = alone.slice(0, d3.schemeTableau10.length - 3), name = i => shown.includes(i) ? `alone: ${place(t.sites[i])}` : "alone: others";
    const kinds = ["several run", "the runtime runs"], colours = new Map([[kinds[0], "var(--accent)"], [kinds[1], "var(--faint)"]]);
    const scheme = d3.schemeTableau10.slice(1);
    shown.forEach((i, k) => colours.set(name(i), scheme[k]));
    if (alone.length > shown.length) colours.set("alone: others", scheme.at(-1));
    colours.set("idle", "var(--ground)");
    const order = [...colours.keys()];
    const rows = t.who.flatMap((who, i) => [[kinds[0], t.together[i]], [kinds[1], t.system[i]], [who >= 0 ? name(who) : "", t.alone[i]], ["idle", t.idle[i]]]
      .filter(([kind, n]) => kind && n > 0).map(([kind, n]) => ({ kind, n, x1: (t.fromNs + i * t.slotNs) / div, x2: (t.fromNs + (i + 1) * t.slotNs) / div })));
    const figure = picture(`What ${c.procs} processors did, ${times(t.slotNs * t.who.length)} of the trace`, ["did", "processors, on average"],
      [...order.map(k => [k, number(d3.sum(rows, r => r.kind === k ? r.n : 0) / t.who.length)]), ["goroutines ready, without a processor", number(d3.mean(t.ready))]], {
        width: wide(room), height: 200, color: { domain: order, range: [...colours.values()] },
        x: { label: `time in the window, ${unit}`, domain: [t.fromNs / div, (t.fromNs + t.slotNs * t.who.length) / div] }, y: { label: "processors", domain: [0, c.procs], ticks: Math.min(c.procs, 8), tickFormat: "d" },
        marks: [Plot.rectY(rows, Plot.stackY({ x1: "x1", x2: "x2", y: "n", fill: "kind", order, insetLeft: -0.2, insetRight: -0.2 })), Plot.frame({ stroke: "var(--rule)" })],
      });
    figure.classList.add("wide");
    figure.querySelector("details").before(legend(order.map(k => [colours.get(k), k])));
    return figure;
  }

  // The stacks of the profile, callers above what they call.
  function flame({ evident: c, room }) {
    const frames = (c && c.page && c.page.flame) || [];
    if (!frames.length) return null;
    const root = { name: "all", value: 0, children: [] }, above = [root];
    for (const f of frames) {
      const node = { name: cut(f.func) || "(unknown)", value: f.share, children: [] };
      above.length = f.depth + 1;
      above[f.depth].children.push(node);
      above.push(node);
      if (f.depth === 0) root.value += f.share;
    }
    const title = `Where ${c.variant || brief(c.name)} at ${c.procs} spends processor time, by who called`;
    const figure = picture(title, ["function", "share", "called by"],
      frames.map((f, i) => [f.func, percent(f.share), f.depth ? frames[d3.range(i - 1, -1, -1).find(k => frames[k].depth === f.depth - 1)].func : "–"]));
    figure.classList.add("wide");
    const drawing = make("div");
    figure.querySelector("details").before(drawing);
    const system = /^(runtime|internal|sync|testing|syscall)[./]/;
    const width = wide(room);
    const chart = flamegraph.default().width(width).cellHeight(19).inverted(true).transitionDuration(0).minFrameSize(1).sort((a, b) => b.value - a.value)
      .setColorMapper((d, colour) => d.highlight ? colour : d.depth === 0 || system.test(d.data.name) ? "#c4cbd3" : colour)
      .setLabelHandler(d => `${d.data.name}: ${percent(d.data.value)}`);
    d3.select(drawing).datum(root).call(chart);
    // Its frames grow to their size, which a printer does not wait for.
    d3.select(drawing).selectAll("rect").interrupt().attr("width", d => (d.x1 - d.x0) * width);
    d3.select(drawing).selectAll(".d3-flame-graph-label").interrupt().text(d => d.data.name);
    const svg = drawing.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
    svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
    return figure;
  }

  // bars are shares, longest first.
  function bars(title, rows) {
    if (!rows.length) return null;
    return picture(title, ["", "share"], rows.map(r => [r.what, percent(r.share)]), {
      height: 40 + 24 * rows.length, marginLeft: 170, x: { label: null, percent: true, grid: true, tickFormat: d => d + " %" }, y: { label: null, domain: rows.map(r => r.what), tickFormat: end },
      marks: [Plot.barX(rows, { y: "what", x: "share", fill: "currentColor", fillOpacity: 0.45, title: r => r.what }), Plot.ruleX([0])],
    });
  }
  const place = p => p.file ? `${p.file}:${p.line}` : p.func || "somewhere";
  const together = rows => d3.rollups(rows, v => d3.sum(v, r => r.share), r => r.what).map(([what, share]) => ({ what, share }));
  function path({ evident: c }) {
    return c && c.page && c.page.trace ? bars("The chain that nothing makes shorter (span)", together((c.page.trace.path || []).map(l => ({ what: place(l), share: l.share })))) : null;
  }
  function running({ evident: c }) {
    return c && c.page && c.page.trace ? bars("Processors running, share of the time", (c.page.trace.running || []).map((share, k) => ({ what: k === 1 ? "1 processor" : `${k} processors`, share }))) : null;
  }

  function draw(doc, more, card) {
    const room = card.querySelector(".plots");
    if (!room || card.drawn) return;
    card.drawn = true;
    const of = card.dataset.of.split(",").map(i => doc.comparisons[i]);
    for (const f of [forest, scaling, sides, identity, running, path, strips, timeline, flame]) {
      const p = f({ doc, more, of, room, evident: doc.comparisons[card.dataset.evident] });
      if (p) room.append(p);
    }
  }

  function filters(cards) {
    const form = at("filter"), find = at("find"), shown = at("shown");
    form.hidden = cards.length < 2;
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    function apply() {
      const words = find.value.toLowerCase().split(/\s+/).filter(w => w);
      const wanted = new Set(boxes.filter(b => b.checked).map(b => b.value));
      let n = 0;
      for (const card of cards) {
        card.hidden = !wanted.has(card.dataset.verdict) || !words.every(w => card.dataset.text.includes(w));
        if (!card.hidden) n++;
      }
      for (const row of document.querySelectorAll("#overview tbody tr")) row.hidden = at(row.querySelector("a").hash.slice(1)).hidden;
      shown.textContent = n === cards.length ? "" : `${n} of ${cards.length}`;
    }
    form.addEventListener("input", apply);
    form.addEventListener("submit", e => e.preventDefault());
  }

  // overview sorts its rows by the column whose head is pressed, the other way round
  // when it is pressed again.
  function overview() {
    const table = at("overview");
    if (!table) return;
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, i) => {
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const h of heads) h.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = row => { const cell = row.cells[i]; return "sort" in cell.dataset ? cell.dataset.sort === "" ? Infinity : Number(cell.dataset.sort) : cell.textContent; };
        const compare = (a, b) => typeof a === "number" ? (a > b) - (a < b) : a.localeCompare(b, "en", { numeric: true });
        body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b))));
      });
    });
  }

  function downloads() {
    const room = at("downloads");
    room.hidden = false;
    for (const b of room.querySelectorAll("button")) {
      b.addEventListener("click", async () => {
        const url = URL.createObjectURL(new Blob([await unpack(b.dataset.of)], { type: b.dataset.type }));
        make("a", { href: url, download: b.dataset.name }).click();
        setTimeout(() => URL.revokeObjectURL(url), 60e3);
      });
    }
  }

  async function main() {
    const cards = [...document.querySelectorAll("article.card")];
    overview();
    filters(cards);
    downloads();
    const doc = JSON.parse(await unpack("doc")), more = JSON.parse(await unpack("more"));
    sizes(more);
    const open = card => (card.querySelector("details.more") || { open: true }).open;
    // What is in sight is drawn first, then the rest of what is open while there is
    // nothing else to do: a printer and a picture of the whole page do not scroll.
    const watch = new IntersectionObserver(seen => {
      for (const e of seen) if (e.isIntersecting && open(e.target)) { watch.unobserve(e.target); draw(doc, more, e.target); }
    }, { rootMargin: "600px" });
    const idle = window.requestIdleCallback || (f => setTimeout(f, 50));
    const rest = cards.filter(open);
    const next = () => { const c = rest.shift(); if (c) { draw(doc, more, c); idle(next); } };
    for (const c of cards) {
      watch.observe(c);
      const details = c.querySelector("details.more");
      if (details) details.addEventListener("toggle", () => { if (details.open) draw(doc, more, c); });
    }
    idle(next);
    const show = () => { // a card that is asked for by its link opens
      const c = location.hash && at(location.hash.slice(1)), details = c && c.querySelector("details.more");
      if (details) { details.open = true; c.scrollIntoView(); }
    };
    addEventListener("hashchange", show);
    show();
    let closed = [];
    addEventListener("beforeprint", () => {
      for (const c of cards) {
        const details = c.querySelector("details.more");
        if (details && !details.open && !c.hidden) { details.open = true; closed.push(details); }
        draw(doc, more, c);
      }
    });
    addEventListener("afterprint", () => { for (const d of closed) d.open = false; closed = []; });
    document.documentElement.dataset.ready = "true";
    performance.mark("ready");
  }
  main();
})();
