// The links that were followed for an answer, and the way along them to a quote.

// Those that the step "spot" chose, where "find" then looked behind them: a context that answers alone
// follows none. Each: {source, start, end, title}. An answer that is kept without its steps keeps them.
export function followedLinks({ followed, steps }) {
  if (followed) return followed;
  const looked = steps.filter(({ stage }, at) => stage === "spot" && steps[at + 1]?.stage === "find");
  return looked.flatMap(({ candidates }) =>
    candidates
      .filter(({ chosen }) => chosen)
      .map(({ source, start, end, title }) => ({ source, start, end, title })),
  );
}

// The links that led to a quote, the first one first; none where it stands in the context, or where a
// search found it. The first one stands in the context, unless a search found its document.
export function wayTo(answered, quote) {
  if (quote.followed) {
    const [start, end] = quote.followed;
    return [{ source: answered.context, start, end, title: quote.document }];
  }
  if (quote.document === answered.context || readings(answered) > 1) return [];
  const links = followedLinks(answered);
  const way = [];
  const passed = new Set();
  let title = quote.document;
  while (title !== answered.context && !passed.has(title)) {
    passed.add(title);
    const leads = links.filter((link) => link.title === title);
    const link = leads.find(({ source }) => source === answered.context) ?? leads[0];
    if (!link) break;
    way.unshift(link);
    title = link.source;
  }
  return way;
}

// A follow-up is read in several ways; which steps belong to which, they do not say.
const readings = ({ steps }) => steps.filter(({ stage, hop }) => stage === "spot" && hop === 1).length;
