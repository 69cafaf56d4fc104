# Sourced by `run`: the programs that slow tests start for real. What cannot be had here is left out; its tests skip.

tools=$PWD/.ci/tools
wanted=(@openai/codex@0.171.0 @anthropic-ai/claude-code@2.1.332)

if command -v npm >/dev/null; then
  timeout 150 npm install --silent --no-audit --no-fund --prefix "$tools" "${wanted[@]}" || echo "npm could not install ${wanted[*]}"
fi
if [ -x "$tools/node_modules/.bin/codex" ]; then export REFLACT_TEST_CODEX=$tools/node_modules/.bin/codex; fi
if [ -x "$tools/node_modules/.bin/claude" ]; then export REFLACT_TEST_CLAUDE=$tools/node_modules/.bin/claude; fi

packages=()
command -v bwrap >/dev/null || packages+=(bubblewrap)
command -v soffice >/dev/null || packages+=(libreoffice-calc-nogui)
if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { timeout 60 apt-get update -qq && timeout 200 apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null \
    || echo "apt-get could not install ${packages[*]}"
fi

# The games of alfworld; fast-downward is compiled. Without jericho and spacy, which it does not need.
{ timeout 300 .venv/bin/python -m pip install -q --no-deps -c constraints.txt alfworld textworld fast-downward-textworld TatSu &&
  timeout 120 .venv/bin/python -m pip install -q -c constraints.txt numpy networkx more-itertools mementos tqdm termcolor gymnasium; } \
  || echo "pip could not install the games of alfworld"

# What swebench lets act; the little of it that is needed.
timeout 60 .venv/bin/python -m pip install -q --no-deps mini-swe-agent==2.4.6 python-dotenv==1.2.4 platformdirs==4.14.8 \
  || echo "pip could not install mini-swe-agent"
