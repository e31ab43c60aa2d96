"""Drives the server with pytest-lsp, as the editors that it knows the capabilities of.

The client checks every message of the server's against the protocol's types.
"""

import asyncio
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SERVER = [os.environ["FRANK_SERVER"], "lsp"]

PROGRAM = """include ad-paper

-- Grows fast.
cube : X -> [Smooth X]X
cube x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))

main : [Console]Int
main! = ouint 7; evaluate (d cube 2)
"""

# What the editors of these profiles answer, and pytest-lsp's client does not by itself.
REQUESTS = [
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
]

BROKEN = PROGRAM.replace("evaluate (d cube 2)", "evaluate (d cube 'x')")


@pytest_lsp.fixture(
    params=["visual-studio-code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=SERVER),
)
async def client(request, lsp_client: LanguageClient, tmp_path):
    for method in REQUESTS:
        lsp_client.feature(method)(lambda *_: None)
    capabilities = client_capabilities(request.param)
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="test")
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            root_uri=folder.uri,
            workspace_folders=[folder],
        )
    )
    lsp_client.folder = tmp_path
    yield
    await lsp_client.shutdown_session()


def open_text(client, text, name="main.fk"):
    uri = (client.folder / name).as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=uri, language_id="frank", version=1, text=text)
        )
    )
    return uri


def place(text, word, uri):
    before, _, _ = text.partition(word)
    line = before.count("\n")
    column = len(before) - (before.rfind("\n") + 1)
    return {
        "text_document": types.TextDocumentIdentifier(uri=uri),
        "position": types.Position(line, column),
    }


async def findings(client, uri, wanted):
    """The findings of a document, once there are as many as wanted; pulled or pushed."""
    for _ in range(200):
        if client.capabilities.text_document.diagnostic is not None:
            report = await client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri=uri))
            )
            found = report.items
        else:
            found = client.diagnostics.get(uri)
        if found is not None and len(found) == wanted:
            return found
        await asyncio.sleep(0.05)
    pytest.fail(f"there are not {wanted} findings, but {found}")


@pytest.mark.asyncio
async def test_findings_come_and_go(client: LanguageClient):
    uri = open_text(client, BROKEN)
    [finding] = await findings(client, uri, 1)
    assert finding.code == "FK0201"
    assert finding.severity == types.DiagnosticSeverity.Error
    assert finding.range.start.line == 7
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            [types.TextDocumentContentChangeWholeDocument(PROGRAM)],
        )
    )
    await findings(client, uri, 0)


@pytest.mark.asyncio
async def test_questions_about_a_place(client: LanguageClient):
    uri = open_text(client, PROGRAM)
    at = place(PROGRAM, "cube 2", uri)
    hover = await client.text_document_hover_async(types.HoverParams(**at))
    assert "Grows fast." in hover.contents.value
    assert await client.text_document_definition_async(types.DefinitionParams(**at))
    references = await client.text_document_references_async(
        types.ReferenceParams(context=types.ReferenceContext(include_declaration=True), **at)
    )
    assert {place.range.start.line for place in references} == {3, 4, 7}
    assert await client.text_document_document_highlight_async(types.DocumentHighlightParams(**at))
    edit = await client.text_document_rename_async(types.RenameParams(new_name="power", **at))
    assert edit.changes or edit.document_changes
    completion = await client.text_document_completion_async(types.CompletionParams(**at))
    items = completion.items if hasattr(completion, "items") else completion
    assert "cube" in {item.label for item in items}
    [call] = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(**at)
    )
    [incoming] = await client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(item=call)
    )
    assert incoming.from_.name == "main"


@pytest.mark.asyncio
async def test_questions_about_a_file(client: LanguageClient):
    uri = open_text(client, PROGRAM)
    document = types.TextDocumentIdentifier(uri=uri)
    whole = types.Range(types.Position(0, 0), types.Position(8, 0))
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert {"cube", "main"} <= {symbol.name for symbol in symbols}
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document)
    )
    assert len(tokens.data) % 5 == 0 and tokens.data
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(document)) is not None
    assert await client.text_document_document_link_async(types.DocumentLinkParams(document))
    assert await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole)) is not None
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))


@pytest.mark.asyncio
async def test_lenses_evaluate(client: LanguageClient):
    uri = open_text(client, PROGRAM)
    document = types.TextDocumentIdentifier(uri=uri)

    async def titles():
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        commands = {}
        for lens in lenses:
            if lens.command is None:
                lens = await client.code_lens_resolve_async(lens)
            commands[lens.command.title] = lens.command
        return commands

    before = await titles()
    assert {"∂ derivative", "▶ run", "∂ evaluate"} <= set(before)
    for title in ("∂ derivative", "▶ run"):
        await client.workspace_execute_command_async(
            types.ExecuteCommandParams(
                command=before[title].command, arguments=list(before[title].arguments)
            )
        )
    after = await titles()
    assert "∂ cube 1 = -14 · ∂ = 3 (d, grad, gradc agree)" in after
    assert '▶ main = 12 · prints "7"' in after
    answer = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="frank.derivative", arguments=[uri, "cube", {"at": ["2"]}])
    )
    assert answer["value"] == "-7"
    assert [one["values"] for one in answer["derivatives"]] == [["12"], ["12"], ["12"]]
