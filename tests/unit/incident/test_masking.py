"""Laws of masking secrets and personal data."""

import pytest

from authoring.incident import masking


@pytest.mark.parametrize(("text", "kind"), masking.EXAMPLES)
def test_masking(text: str, kind: str) -> None:
    masked = masking.mask(text)
    assert masked.found == ((1, kind),)
    assert len(masked.text.splitlines()) == 1
    assert masking.mask(masked.text).text == masked.text or kind != "an e-mail address"


@pytest.mark.parametrize(
    "text",
    [
        "user@example.com",
        "Origin: http://a.test",
        "password = os.environ['X']",
        "a@b",
        "2021-11-30 1234 5678",
    ],
)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert masking.mask(text).text == text


def test_a_masked_secret_keeps_its_length_and_its_classes_of_characters() -> None:
    secret = "ghp_abcdEFGH0123abcdEFGH0123abcdEFGH0123"
    masked = masking.mask(f"x = '{secret}'").text[5:-1]
    assert masked != secret
    assert [letter.isdigit() for letter in masked] == [letter.isdigit() for letter in secret]
    assert masking.mask(f"x = '{secret}'").text == masking.mask(f"x = '{secret}'").text
