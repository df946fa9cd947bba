# outpost completion fish; in ~/.config/fish/config.fish: outpost completion fish | source
function __outpost_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l answers ($typed[1] complete-words fish $typed[2..-1] "$current" 2>/dev/null)
    switch "$answers[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current" ""
        case words
            printf '%s\n' $answers[2..-1]
    end
end
complete --command outpost --no-files --arguments '(__outpost_words)'
